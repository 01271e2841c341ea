/** The route that a service has for probes, as whoever probes it asks it. Answers are foreign input. */

import { inTime } from "../../../base/in-time.js";
import { realClock } from "../../../base/real-clock.js";
import { createError } from "../../../errors/index.js";
import type { ElectionRow } from "../../cell.js";
import { readAll, readElectionRow } from "../../envelope.js";
import type { ProbeRequest, Question } from "../../http/asking.js";
import { isObject, parse } from "../../row.js";

const answerMs = 10_000;
const mostAnswerBytes = 1_048_576;

export class VerifyRoute {
  readonly #url: URL;
  readonly #fetch: typeof fetch;

  constructor(url: URL, send: typeof fetch) {
    this.#url = url;
    this.#fetch = send;
  }

  /** Rejects with GUARD_FAILED where no such route is mounted. All others do, too. */
  async hello(): Promise<void> {
    await this.#ask({ probe: "hello" });
  }

  async rows(): Promise<readonly ElectionRow[]> {
    const { rows } = await this.#ask({ probe: "rows" });
    const read = readAll(rows, readElectionRow);
    if (read !== undefined) return read;
    throw createError("GUARD_FAILED", `${this.#name} names rows that cannot be read`);
  }

  async sweep(election: string): Promise<void> {
    await this.#ask({ probe: "sweep", election });
  }

  /** Whether this write stands still, in the process that happened to be asked. */
  async stands(write: string): Promise<boolean> {
    return (await this.#ask({ probe: "standing", write }))["found"] === true;
  }

  async release(write: string): Promise<boolean> {
    return (await this.#ask({ probe: "go-on", write }))["found"] === true;
  }

  /** A write that shows no fence. */
  async unfenced(result: string): Promise<"applied" | { readonly refused: string }> {
    const request: ProbeRequest = { result };
    const { status } = await this.#post(request);
    if (status >= 200 && status < 300) return "applied";
    if (status === 428) return { refused: "status 428" };
    throw createError("GUARD_FAILED", `${this.#name} answers status ${status} to a write without a fence`);
  }

  async #ask(question: Question): Promise<Readonly<Record<string, unknown>>> {
    const { status, text } = await this.#post({ v: 1, ...question });
    const answer = status === 200 ? parse(text) : undefined;
    if (isObject(answer) && answer["v"] === 1) return answer;
    const why = status === 200 ? "status 200, and no answer of one" : `status ${status}`;
    throw createError("GUARD_FAILED", `${this.#name} is no route of httpVerification, or it fails: ${why}`);
  }

  async #post(body: object): Promise<{ readonly status: number; readonly text: string }> {
    const giveUp = new AbortController();
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body), signal: giveUp.signal };
    const asking = this.#fetch(this.#url, { ...init, redirect: "manual" }).then(async (response) => ({
      status: response.status,
      text: await textOf(response),
    }));
    const answered = await inTime(realClock, answerMs, asking).catch((cause: unknown) => {
      throw createError("GUARD_FAILED", `${this.#name} cannot be reached: ${reasonOf(cause)}`, { cause });
    });
    if (answered !== "silent") return answered;
    giveUp.abort();
    throw createError("GUARD_FAILED", `${this.#name} has not answered within ${answerMs} ms`);
  }

  /** Without what a query may hold. */
  get #name(): string {
    return this.#url.origin + this.#url.pathname;
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > mostAnswerBytes) throw new Error(`the answer has more than ${mostAnswerBytes} bytes`);
  }
  return Buffer.concat(parts).toString();
}

/** `fetch` says "fetch failed", and why in the cause. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
