import { describe, expect, test } from "vitest";
import {
  judgeRegister,
  type Loss,
  type RegisterAnswer,
  type RegisterCall,
  type RegisterHistory,
} from "../../src/audit/index.js";
import { type Break, jumble, Run } from "./register-runs.js";
import { canBeOrdered } from "./register-search.js";

type Span = readonly [invokedAt: number, answeredAt?: number];

let count = 0;

function read([invokedAt, answeredAt]: Span, version: string | undefined, party = "gamma"): RegisterCall {
  const answer = { kind: "read", version, nonce: nonceOf(version) } as const;
  return { id: (count += 1), party, invokedAt, answeredAt, call: { kind: "read" }, answer };
}

/** Writes `v2` under the nonce `n2`, and so on. Unless said otherwise it is told so. */
function write(
  [invokedAt, answeredAt]: Span,
  version: string,
  expected: string | undefined,
  facts: Partial<Pick<RegisterCall, "party" | "answer" | "mayRepeat">> = {},
): RegisterCall {
  const call = { kind: "write", nonce: `n${version.slice(1)}`, expected } as const;
  const answer: RegisterAnswer | undefined =
    answeredAt === undefined ? undefined : { kind: "written", version };
  return { id: (count += 1), party: "alpha", invokedAt, answeredAt, call, answer, ...facts };
}

/** Shown a record that cannot be read. */
function foreign(call: RegisterCall): RegisterCall {
  const { answer } = call;
  if (answer === undefined || !("nonce" in answer)) return call;
  return { ...call, answer: { ...answer, version: "foreign", nonce: undefined } };
}

function conflict(version: string | undefined): Extract<RegisterAnswer, { kind: "conflict" }> {
  return { kind: "conflict", version, nonce: nonceOf(version) };
}

function nonceOf(version: string | undefined): string | undefined {
  return version === undefined ? undefined : `n${version.slice(1)}`;
}

function loss(at: number, left: string | undefined): Loss {
  return { kind: "loss", at, left };
}

const told = (history: RegisterHistory) => judgeRegister(history).map(({ message }) => message);

const lawful: readonly (readonly [title: string, history: RegisterHistory])[] = [
  ["nothing happened", { calls: [] }],
  [
    "a read overlaps the write that it is shown",
    { calls: [write([0, 10], "v1", undefined), read([2, 4], "v1"), read([3, 5], "v1")] },
  ],
  [
    "an unanswered write is shown much later",
    { calls: [write([0], "v1", undefined), read([5, 6], undefined), read([90, 91], "v1")] },
  ],
  [
    "an unanswered write never came",
    { calls: [write([0], "v1", undefined), write([5, 6], "v2", undefined), read([90, 91], "v2")] },
  ],
  [
    "a doubled request is told of its own conflict",
    {
      calls: [
        write([0, 5], "v1", undefined, { answer: conflict("v1"), mayRepeat: true }),
        read([6, 7], "v1"),
      ],
    },
  ],
  [
    "the store refuses for another reason than the version",
    {
      calls: [
        write([0, 5], "v1", undefined),
        write([6, 7], "v2", "v1", { answer: { ...conflict("v1"), judged: true } }),
        write([8, 9], "v3", "v1", { answer: { kind: "unproven" } }),
        write([10, 11], "v4", "v1"),
      ],
    },
  ],
  [
    "a write under way when data is lost came before that",
    {
      calls: [write([0, 1], "v1", undefined), write([4, 6], "v2", "v1"), write([7, 8], "v3", "v1")],
      losses: [loss(5, "v1")],
    },
  ],
  [
    "a write under way when data is lost came after that",
    {
      calls: [write([0, 1], "v1", undefined), write([4, 6], "v2", "v1"), write([7, 8], "v3", "v2")],
      losses: [loss(5, "v1")],
    },
  ],
  [
    "a lost write comes again, since its request was doubled",
    {
      calls: [
        write([0, 1], "v1", undefined, { mayRepeat: true }),
        read([2, 3], "v1"),
        read([6, 7], undefined),
        read([8, 9], "v1"),
      ],
      losses: [loss(5, undefined)],
    },
  ],
  [
    "what a loss leaves was written by nobody here, and cannot be read",
    {
      calls: [
        write([0, 1], "v1", undefined),
        foreign(read([6, 7], undefined)),
        foreign(write([8, 9], "v2", "v1", { answer: conflict(undefined) })),
        foreign(write([8, 9], "v3", "foreign", { answer: conflict(undefined) })),
      ],
      losses: [loss(5, "foreign")],
    },
  ],
  ["something stood at the start", { initial: "v1", calls: [read([0, 1], "v1"), write([2, 3], "v2", "v1")] }],
];

const first = write([0, 1], "v1", undefined);
const second = write([2, 3], "v2", "v1", { party: "beta" });

const broken: readonly (readonly [title: string, message: string, history: RegisterHistory])[] = [
  [
    "a read shows what was replaced before it was sent",
    "gamma's read (4 to 5 ms) was shown v1, although beta's write of n2 (2 to 3 ms) had replaced it by v2: nobody is shown what was gone before they asked",
    { calls: [first, second, read([4, 5], "v1")] },
  ],
  [
    "reads go back over a write whose outcome nobody was told",
    "gamma's read (6 to 7.5 ms) was shown v1, although beta's write of n2 (sent at 2 ms, outcome unknown) had replaced it by v2, as delta's read (4 to 5 ms) shows: nobody is shown what was gone before they asked",
    {
      calls: [
        first,
        write([2], "v2", "v1", { party: "beta" }),
        read([4, 5], "v2", "delta"),
        read([6, 7.5], "v1"),
        read([8, 9], "v1"),
      ],
    },
  ],
  [
    "two writes replace one version",
    "gamma's write of n3 (3 to 4 ms) made v3 over v1, although beta's write of n2 (2 to 3 ms) had replaced that by v2: of two writes over one version only one is carried out",
    { calls: [first, second, write([3, 4], "v3", "v1", { party: "gamma" })] },
  ],
  [
    "two create",
    "gamma's write of n3 (3 to 4 ms) made v3 over no record, although alpha's write of n1 (0 to 1 ms) had replaced that by v1: of two writes over one version only one is carried out",
    { calls: [first, write([3, 4], "v3", undefined, { party: "gamma" })] },
  ],
  [
    "a read is shown what was sent after its answer",
    "gamma's read (0 to 1 ms) was shown v2 before its write was sent: that is beta's write of n2 (2 to 3 ms)",
    { initial: "v1", calls: [read([0, 1], "v2"), second] },
  ],
  [
    "a read is shown what nobody wrote",
    "gamma's read (2 to 3 ms) was shown v9 (n9): no call wrote that",
    { calls: [first, read([2, 3], "v9")] },
  ],
  [
    "a write that was told a conflict took effect",
    "gamma's read (4 to 5 ms) was shown v3 (n3): but alpha's write of n3 (2 to 3 ms), which carries that nonce, was told that it met a conflict",
    { calls: [first, write([2, 3], "v3", "v0", { answer: conflict("v1") }), read([4, 5], "v3")] },
  ],
  [
    "an acknowledged write is not there",
    "gamma's read (4 to 5 ms) was shown v1, although beta's write of n2 (2 to 3 ms) had replaced it by v2: nobody is shown what was gone before they asked",
    { calls: [first, second, read([4, 5], "v1"), write([6, 7], "v3", "v1")] },
  ],
  [
    "a version is given to two writes",
    "alpha's write of n1 (0 to 1 ms) and beta's write of n2 (2 to 3 ms) were both told that v1 is theirs: a version names one write for ever",
    { calls: [first, { ...second, answer: { kind: "written", version: "v1" } }] },
  ],
  [
    "a version stands for two nonces",
    "gamma's read (4 to 5 ms) was shown v1 with the nonce n7, but to alpha's write of n1 (0 to 1 ms) it stood for n1: a version names one write for ever",
    { calls: [first, { ...read([4, 5], "v1"), answer: { kind: "read", version: "v1", nonce: "n7" } }] },
  ],
  [
    "a write is refused that expected what stood",
    "beta's write of n2 (2 to 3 ms) was refused although v1 stood, as it expected: such a write is carried out",
    { calls: [first, { ...second, answer: conflict("v1") }] },
  ],
  [
    "a write replaces what cannot be read",
    "alpha's write of n3 (8 to 9 ms) replaced foreign, of which gamma's read (6 to 7 ms) was told that it cannot be read: such a record stays as it is",
    {
      calls: [first, foreign(read([6, 7], undefined)), write([8, 9], "v3", "foreign")],
      losses: [loss(5, "foreign")],
    },
  ],
  [
    "a write replaces what nobody was ever shown",
    "alpha's write of n3 (2 to 3 ms) made v3 over v9, which had not stood until then: a write is carried out only over the version it expects",
    { calls: [first, write([2, 3], "v3", "v9")] },
  ],
  [
    "what a loss took is shown again",
    "gamma's read (6 to 7 ms) was shown v2, which the loss at 5 ms had taken (it left v1)",
    { calls: [first, second, read([6, 7], "v2")], losses: [loss(5, "v1")] },
  ],
  [
    "a write replaces what a loss took",
    "alpha's write of n3 (6 to 7 ms) made v3 over v2, which the loss at 5 ms had taken (it left v1)",
    { calls: [first, second, write([6, 7], "v3", "v2")], losses: [loss(5, "v1")] },
  ],
  [
    "a loss leaves what is written only later",
    "the loss at 2 ms left v3, which alpha's write of n3 (6 to 7 ms) cannot have made before",
    { calls: [first, write([6, 7], "v3", "v1")], losses: [loss(2, "v3")] },
  ],
];

describe("calls that a register can have answered pass", () => {
  test.each(lawful)("%s", (_title, history) => {
    expect(told(history)).toEqual([]);
    expect(canBeOrdered(history)).toBe(true);
  });

  test("two thousand calls of five parties, a third of them unanswered or doubled, with ten losses", () => {
    const options = { callCount: 2_000, partyCount: 5, lossCount: 10, faulty: 0.3 };
    for (let seed = 0; seed < 5; seed += 1) expect(told(new Run(seed, options).history())).toEqual([]);
  });
});

describe("when calls contradict each other, that is told with two or three of them", () => {
  test.each(broken)("%s", (_title, message, history) => {
    const stories = judgeRegister(history);
    expect(stories.map((story) => story.message)).toEqual([message]);
    for (const call of stories[0]?.calls ?? []) expect(history.calls).toContain(call);
    expect(stories[0]?.calls.length).toBeGreaterThan(0);
    expect(stories[0]?.calls.length).toBeLessThan(4);
    expect(canBeOrdered(history)).toBe(false);
  });

  test("nothing more is told until a loss says what stands, and then the next", () => {
    const wrong = [read([4, 5], "v1"), read([6, 7], undefined), read([21, 22], "v1"), read([23, 24], "v2")];
    const history = { calls: [first, second, ...wrong], losses: [loss(10, "v1"), loss(20, "v1")] };
    expect(told(history)).toEqual([
      expect.stringMatching(/^gamma's read \(4 to 5 ms\) was shown v1, although/),
      "gamma's read (23 to 24 ms) was shown v2, which had not stood since the loss at 10 ms left v1",
    ]);
  });

  test("a write that was under way at that loss is believed either way", () => {
    const calls = [first, second, read([4, 5], "v1"), write([9, 12], "v3", "v1"), read([14, 15], "v3")];
    expect(judgeRegister({ calls, losses: [loss(10, "v1")] })).toHaveLength(1);
  });

  test("a store that breaks one rule all the time is told of once", () => {
    const calls = Array.from({ length: 50 }, (_, index) => ({
      ...write([index, index], `v${index}`, "v1", { party: `p${index}` }),
      answer: conflict("v1"),
    }));
    expect(judgeRegister({ calls: [first, ...calls] })).toHaveLength(1);
  });
});

describe("when more ways are open than can be followed", () => {
  const many = Array.from({ length: 300 }, (_, index) => `v${index + 10}`);
  const wrong = (at: number) => write([at, at], `v${at + 400}`, "v5");

  test("the calls until the next loss pass, and no longer", () => {
    // One nonce, sent over each of 300 versions.
    const clones = many.map((version) => write([0], "v9", version));
    const calls = [
      ...many.flatMap((of) => [write([0], of, undefined), read([0, 5], of)]),
      ...clones,
      read([2, 3], "v9"),
    ];
    expect(told({ calls: [...calls, wrong(20)] })).toEqual([]);
    const after = told({ calls: [...calls, wrong(20), wrong(40)], losses: [loss(30, undefined)] });
    expect(after).toEqual([
      expect.stringMatching(/^alpha's write of n440 .* since the loss at 30 ms left no/),
    ]);
  });

  test("the calls under way at a loss pass, and no others", () => {
    const calls = many.map((version) => write([0, 9], version, undefined));
    const losses = [loss(1, undefined)];
    expect(told({ calls, losses })).toEqual([]);
    expect(told({ calls: [...calls, wrong(20)], losses })).toEqual([
      expect.stringMatching(/^alpha's write of n420 .* since the loss at 1 ms left no record/),
    ]);
  });
});

describe("it agrees with a search through all orders", () => {
  test("on answers drawn from a hat", () => {
    const passed = Array.from({ length: 8_000 }, (_, seed) => agrees(jumble(seed), seed));
    expect(passed.filter(Boolean).length).toBeGreaterThan(500);
  });

  test("on runs of a register that does its work, whatever happens to requests: all of them pass", () => {
    const passed = runs(undefined).map(agrees);
    expect(passed).toEqual(passed.map(() => true));
  });

  const breaks: readonly Break[] = [
    "compares nothing",
    "shows old states",
    "forgets an acknowledged write",
    "names two writes alike",
    "shows what nobody wrote",
    "acknowledges twice",
    "refuses without a reason",
  ];
  test.each(breaks)("on runs of a register that %s: some of them fail", (broken) => {
    const passed = runs(broken).map(agrees);
    expect(passed.filter((pass) => !pass).length).toBeGreaterThan(50);
  });
});

function runs(broken: Break | undefined): readonly RegisterHistory[] {
  return Array.from({ length: 800 }, (_, seed) => {
    const options = { callCount: 3 + (seed % 7), partyCount: 1 + (seed % 4), lossCount: seed % 3, broken };
    return new Run(seed, { ...options, faulty: (seed % 5) / 10 }).history();
  });
}

/** Whether it passes. */
function agrees(history: RegisterHistory, seed: number): boolean {
  const stories = judgeRegister(history);
  expect(stories.length === 0, `${seed}: ${JSON.stringify(history)}`).toBe(canBeOrdered(history));
  return stories.length === 0;
}
