/** The calls to a store, as the audit reads them: who asked what when, and what was answered. */

import { judgeRegister, type Loss, type RegisterCall } from "../../audit/index.js";

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
  #count = 0;

  constructor(world: { readonly nowMs: number }) {
    this.#world = world;
  }

  get count(): number {
    return this.#count;
  }

  begin(key: string, party: string, call: RegisterCall["call"]): OpenCall {
    this.#count += 1;
    const open = new OpenCall(this.#count, party, call, this.#world);
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
