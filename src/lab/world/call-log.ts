/** The calls to a store, as the audit reads them: who asked what when, and what was answered. */

import type { Stored, Written } from "../../lease/store.js";
import { judgeRegister, type Loss, type RegisterCall } from "../../audit/index.js";

/** What a store of the lab's own answered; requests may reach it twice, and its clock may have refused. */
export function registerAnswer(answer: Stored | Written | undefined): RegisterCall["answer"] {
  if (answer === undefined) return shown("read", undefined);
  if (!("kind" in answer)) return shown("read", answer);
  if (answer.kind === "written") return { kind: "written", version: answer.version };
  if (answer.kind === "unproven") return { kind: "unproven" };
  return { ...shown("conflict", answer.current), judged: true };
}

function shown<K>(kind: K, stored: Stored | undefined) {
  const body = stored?.body;
  const nonce = typeof body === "object" ? body.nonce : undefined;
  return { kind, version: stored?.version, nonce };
}

/** Open until it is answered; what is never answered may have been done at any later time, or never. */
export class OpenCall implements RegisterCall {
  readonly id: number;
  readonly party: string;
  readonly invokedAt: number;
  readonly call: RegisterCall["call"];
  answeredAt: number | undefined;
  answer: RegisterCall["answer"];
  mayRepeat = false;
  readonly #log: { readonly nowMs: number };

  constructor(id: number, party: string, call: RegisterCall["call"], log: { readonly nowMs: number }) {
    this.id = id;
    this.party = party;
    this.call = call;
    this.invokedAt = log.nowMs;
    this.#log = log;
  }

  /** The first answer counts. */
  answered(answer: RegisterCall["answer"]): void {
    if (this.answeredAt !== undefined) return;
    this.answeredAt = this.#log.nowMs;
    this.answer = answer;
  }
}

export class CallLog {
  readonly #world: { readonly nowMs: number };
  readonly #calls = new Map<string, OpenCall[]>();
  readonly #mayRepeat: boolean;
  #count = 0;

  /** `mayRepeat`: requests may reach the store twice. */
  constructor(world: { readonly nowMs: number }, mayRepeat = false) {
    this.#world = world;
    this.#mayRepeat = mayRepeat;
  }

  get count(): number {
    return this.#count;
  }

  begin(key: string, party: string, call: RegisterCall["call"]): OpenCall {
    this.#count += 1;
    const open = new OpenCall(this.#count, party, call, this.#world);
    open.mayRepeat = this.#mayRepeat;
    const calls = this.#calls.get(key);
    if (calls === undefined) this.#calls.set(key, [open]);
    else calls.push(open);
    return open;
  }

  /** What no register answers so, in words. */
  stories(losses: readonly Loss[] = []): readonly string[] {
    return [...this.#calls.values()].flatMap((calls) =>
      judgeRegister({ calls, losses }).map(({ message }) => message),
    );
  }
}
