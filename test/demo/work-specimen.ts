/**
 * The writes of the run in `specimen.ts`: each leader does one operation, first in the journal, then in the ledger.
 * The first one's reply from the ledger is lost, and the ones that were frozen and blocked try to write once more.
 */

import type { Ledger } from "../../src/cli/demo/ledger.js";
import type { Shelf } from "../../src/cli/demo/on-disk.js";
import type { WorkLine } from "../../src/cli/demo/work-line.js";
import type { KeptVersion } from "../../src/fence/file/kept-versions.js";
import type { GuardRow } from "../../src/fence/row.js";
import { encodeVersion } from "../../src/journal/version.js";

export interface Leader {
  readonly node: string;
  readonly instance: string;
  readonly token: number;
}

export function opIdOf({ node, token }: Leader): string {
  return `${node}-${token}-1`;
}

/** `woken`: places of the leaders that tried to write after they woke up. */
export function workOf(leaders: readonly Leader[], woken: readonly number[]): readonly WorkLine[] {
  return leaders.flatMap((leader, place) => {
    const { node, token } = leader;
    const by = { node, token };
    const opId = opIdOf(leader);
    const number = place + 1;
    const lost = place === 0;
    const stale = { resource: "ledger", opId: `${node}-${token}-stale`, ...by } as const;
    const lines: readonly WorkLine[] = [
      { kind: "replayed", entries: place, ...by },
      { kind: "acknowledged", resource: "journal", opId, number, duplicate: false, ...by },
      ...(lost ? [{ kind: "reply-lost", resource: "ledger", opId, ...by } as const] : []),
      { kind: "acknowledged", resource: "ledger", opId, number, duplicate: lost, ...by },
    ];
    if (!woken.includes(place)) return lines;
    return [...lines, { kind: "stale-try", ...stale }, { kind: "refused", code: "STALE", ...stale }];
  });
}

export function shelfOf(leaders: readonly Leader[]): Extract<Shelf, { kind: "fenced" }> {
  const ledger = leaders.flatMap((leader, place) => {
    const { token, node } = leader;
    const before = leaders[place - 1];
    const last =
      before === undefined ? null : { opId: opIdOf(before), token: before.token, node: before.node };
    const standing: Ledger = { total: place, last };
    const next: Ledger = { total: place + 1, last: { opId: opIdOf(leader), token, node } };
    const claim = place === 0 ? undefined : JSON.stringify(standing);
    return [version(claimed(leader), claim), version(written(leader), JSON.stringify(next))];
  });
  const journal = leaders.flatMap((leader, place) => {
    const { token, instance: owner, node } = leader;
    const json = JSON.stringify({ by: node });
    const entry = { kind: "entry", token, owner, opId: opIdOf(leader), json } as const;
    return [
      version(claimed(leader), encodeVersion(2 * place, place, undefined)),
      version(written(leader), encodeVersion(2 * place + 1, place + 1, entry)),
    ];
  });
  return { kind: "fenced", ledger: numbered(ledger), journal: numbered(journal) };
}

function numbered(versions: readonly KeptVersion[]): readonly KeptVersion[] {
  return versions.map((kept, index) => ({ ...kept, number: index + 1 }));
}

function claimed({ token, instance }: Leader): GuardRow {
  const row = { v: 1, lineage: "default/lease", watermark: token, owner: instance } as const;
  return { ...row, seq: 0, window: [], last: null };
}

function written(leader: Leader): GuardRow {
  const opId = opIdOf(leader);
  const window = [{ seq: 1, opId, returned: true }];
  return { ...claimed(leader), seq: 1, window, last: { seq: 1, opId, result: "1" } };
}

function version(row: GuardRow, value: string | undefined): KeptVersion {
  const rows = [{ namespace: "default", election: "demo", row }];
  const body = { nonce: "n", fencing: { rows, operations: [] }, value };
  return { number: 0, body, modifiedMs: 0 };
}
