/** Whether what a story expects is so now. */

import type { Process } from "../world/process.js";
import type { World } from "../world/world.js";
import type { Expectation } from "./story.js";

export function holds(world: World, expectation: Expectation): boolean {
  const { cast, register, ledger, lines } = world;
  const leaders = () => cast.living.filter((process) => process.believes());
  switch (expectation.that) {
    case "leads":
      return cast.find(expectation.who)?.believes() === true;
    case "leads-not":
      return cast.find(expectation.who)?.believes() !== true;
    case "uncertain":
      return lastTerm(world, expectation.who)?.uncertain === true;
    case "gone":
      return cast.find(expectation.who) === undefined;
    case "nobody-leads":
      return leaders().length === 0;
    case "one-leads":
      return leaders().length === 1;
    case "ended":
      return lastTerm(world, expectation.who)?.reason === expectation.reason;
    case "refused":
      return lines.some((line) => {
        const by = cast.named(line.process)?.slot;
        return line.event === "refused" && line.code === expectation.code && by === expectation.who;
      });
    case "none-refused":
      return !lines.some(({ event }) => event === "refused");
    case "terms":
      return lines.filter(({ event }) => event === "elected").length === expectation.count;
    case "tries":
      return register.account.log.filter(isTake).length === expectation.count;
    case "ledger":
      return ledger.count.count === expectation.count;
    case "nothing-held":
      return register.current === undefined;
    case "record": {
      const record = register.current?.record;
      return record?.state === expectation.state && record.node === expectation.who;
    }
    case "answered":
      return cast.visitor?.answers.at(-1) === expectation.answer;
  }
}

function lastTerm({ cast }: World, who: string): Process["term"] {
  const ofSlot = cast.processes.filter(({ name, slot, muted }) => {
    return !muted && (who.endsWith("'") ? name.endsWith("'") && `${slot}'` === who : slot === who);
  });
  return ofSlot.findLast(({ term }) => term !== undefined)?.term;
}

function isTake({ record, before }: World["register"]["account"]["log"][number]): boolean {
  return record.state === "held" && record.instance !== before?.record.instance;
}
