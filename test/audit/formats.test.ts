import { describe, expect, test } from "vitest";
import { audit } from "../../src/audit/index.js";
import type { HistoryLine } from "../../src/history/line.js";
import { gamma, goodHistory, ledger, line, ns, ttlMs } from "./good-history.js";

type Body = Extract<HistoryLine, { event: "store" }>["body"];

const look = (ms: number, body: Body, resource?: string) =>
  line(ms, "harness", { event: "store", body, ...(resource === undefined ? {} : { resource }) });

function told(...lines: readonly HistoryLine[]): readonly string[] {
  const history = [...goodHistory().filter(({ event }) => event !== "store"), ...lines];
  return audit(history, { ttlMs }).violations.map(({ invariant, message }) => `${invariant}: ${message}`);
}

/** The election goes on although its record could not be read at 5600 ms. */
const goesOn = (at: number) => [
  line(at - 1, "delta", { event: "elected", instance: "instance-d", token: 13, until: ns(at + 500) }),
];

describe("a record that cannot be read", () => {
  test("when it is left alone, nothing is told", () => {
    expect(told(look(5_700, "unreadable"), look(5_900, "newer"))).toEqual([]);
  });

  test("when it is seen written over, that is told once for each time that it became so", () => {
    const looks = [
      look(5_700, "newer"),
      look(5_800, "overwritten"),
      look(5_900, "unreadable"),
      look(6_000, "overwritten"),
    ];
    expect(told(...looks)).toEqual([
      'I10: the record of "invoices" was written over at 5700.000 ms, although it was newer at 5600.000 ms: what cannot be read stays as it is',
      'I10: the record of "invoices" was written over at 5900.000 ms, although it was unreadable at 5800.000 ms: what cannot be read stays as it is',
    ]);
  });

  test("when nobody looked before it was written over, that is told all the same", () => {
    expect(told(look(5_800, "overwritten"))).toEqual([
      'I10: the record of "invoices" was written over at 5700.000 ms, although it was unreadable or newer: what cannot be read stays as it is',
    ]);
  });

  test("when somebody is elected more than a ttl later, its lease was written over it", () => {
    expect(told(look(5_700, "unreadable"), ...goesOn(9_000))).toEqual([
      'I10: delta (token 13, process 104-d) was elected at 8899.000 ms, 3299.000 ms after the record of "invoices" was unreadable: that lease was written over it',
    ]);
  });

  test("when that may have been on its way before, or it was repaired, nothing is told", () => {
    expect(told(look(5_700, "unreadable"), ...goesOn(8_700))).toEqual([]);
    expect(told(look(5_700, "unreadable"), look(7_500, "repaired"), ...goesOn(9_000))).toEqual([]);
  });
});

describe("a resource's row that cannot be read", () => {
  const write = (at: number, resource = "ledger") =>
    line(at, "gamma", { event: "applied", ...gamma, ...ledger, resource, opId: `w-${at}` });

  test("when the resource goes on accepting, that is told once", () => {
    expect(told(look(5_700, "unreadable", "ledger"), write(5_800), write(5_900))).toEqual([
      'I10: "ledger" accepted w-5800 of gamma (token 12, process 103-c) at 5700.000 ms, although its row was unreadable at 5600.000 ms: what cannot be read decides nothing',
    ]);
  });

  test("when it was repaired before, or is the row of another resource, nothing is told", () => {
    expect(
      told(look(5_700, "unreadable", "ledger"), look(5_750, "repaired", "ledger"), write(5_800)),
    ).toEqual([]);
    expect(told(look(5_700, "unreadable", "journal"), write(5_800))).toEqual([]);
  });

  test("when it is seen written over, the message names the resource", () => {
    expect(told(look(5_700, "newer", "ledger"), look(5_800, "overwritten", "ledger"))).toEqual([
      expect.stringMatching(
        /^I10: the row of "ledger" was written over at 5700.000 ms, although it was newer/,
      ),
    ]);
  });
});
