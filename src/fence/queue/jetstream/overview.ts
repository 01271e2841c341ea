/** What fences the subjects of a stream, and what operators did to them, for those who only look. */

import { createError } from "../../../errors/index.js";
import { type FenceAct, keptActs } from "../../acts.js";
import type { ElectionRow } from "../../cell.js";
import { Broker } from "./broker.js";
import type { JetstreamClient } from "./client.js";
import { type ResolvedJetstreamOptions, resolveJetstreamOptions } from "./options.js";

export interface FencedSubject {
  readonly subject: string;
  /** Why it cannot be shown; null where it can. `unfenced`: its last message shows nothing of a guard. */
  readonly problem: "newer" | "unreadable" | "unfenced" | null;
  readonly rows: readonly ElectionRow[];
}

export interface FencedStream {
  readonly subjects: readonly FencedSubject[];
  /** The latest first. */
  readonly acts: readonly (FenceAct & { readonly resource: string })[];
}

/** Each is one question to the server. */
const mostSubjects = 1_000;

/**
 * Of one subject, or of all that the stream holds messages of. Throws GUARD_FAILED, also for a subject that the stream does
 * not take, and for a stream of more than 1 000 subjects.
 */
export async function lookAtStream(
  client: JetstreamClient,
  stream: string,
  subject: string | undefined,
  timeoutMs: number,
): Promise<FencedStream> {
  const optionsOf = (one: string): ResolvedJetstreamOptions =>
    resolveJetstreamOptions({ stream, subject: one, timeoutMs });
  const brokerOf = (options: ResolvedJetstreamOptions) => new Broker(client, options, () => timeoutMs);
  const whole = brokerOf({ ...optionsOf("any"), resource: stream });
  if (subject !== undefined) checkTaken(stream, await whole.streamInfo(), subject);
  const names = subject === undefined ? await subjectsOf(whole, stream) : [subject];
  const subjects: FencedSubject[] = [];
  const acts: FencedStream["acts"][number][] = [];
  for (const name of names) {
    const found = await brokerOf(optionsOf(name)).last();
    if (found === undefined) continue;
    const { register } = found;
    if (typeof register === "string") {
      const problem = register === "foreign" ? "unfenced" : register;
      subjects.push({ subject: name, problem, rows: [] });
      continue;
    }
    const { rows, acts: done = [] } = register.fencing;
    acts.push(...done.map((act) => ({ ...act, resource: name })));
    if (rows.length > 0) subjects.push({ subject: name, problem: null, rows });
  }
  return { subjects, acts: acts.toSorted((a, b) => b.at - a.at).slice(0, keptActs) };
}

/** `info`: the answer to STREAM.INFO. Throws GUARD_FAILED that names what the stream takes. */
export function checkTaken(stream: string, info: Readonly<Record<string, unknown>>, subject: string): void {
  const { subjects = [] } = (info["config"] ?? {}) as { readonly subjects?: readonly string[] };
  if (subjects.some((pattern) => takes(pattern.split("."), subject.split(".")))) return;
  const message = `stream "${stream}" does not take the subject "${subject}": it has ${subjects.join(", ")}`;
  throw createError("GUARD_FAILED", message);
}

function takes([first, ...pattern]: readonly string[], [token, ...rest]: readonly string[]): boolean {
  if (first === undefined || token === undefined) return first === token;
  if (first === ">") return true;
  return (first === "*" || first === token) && takes(pattern, rest);
}

async function subjectsOf(broker: Broker, stream: string): Promise<readonly string[]> {
  const { state } = await broker.api("INFO", { subjects_filter: ">" });
  const { subjects = {}, num_subjects = 0 } = (state ?? {}) as {
    readonly subjects?: Readonly<Record<string, number>>;
    readonly num_subjects?: number;
  };
  if (num_subjects <= mostSubjects) return Object.keys(subjects).toSorted();
  const message = `stream "${stream}" has ${num_subjects} subjects, more than ${mostSubjects}: name one of them`;
  throw createError("GUARD_FAILED", message);
}
