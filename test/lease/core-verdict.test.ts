/** Rule 4, to the letter: what one conflict says to a holder. */

import { describe, expect, it } from "vitest";
import { Play, shown, told } from "../support/core-play.js";

describe("a holder whose write conflicts", () => {
  it("when a bid lies over that very write, which was delivered twice, it has no clone", () => {
    const play = new Play();
    play.lead();
    play.until(3_000);
    const { record } = play.lastWrite;
    expect(record.seq).toBe(2);
    const bid = { instance: "other", node: "b", requestId: "r" };
    const effects = play.conflict(shown({ ...record, writer: "other", nonce: "bid", bid }));
    expect(told(effects)).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "v2", record: { seq: 3, bid } });
  });
});
