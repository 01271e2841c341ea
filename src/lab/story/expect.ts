/** Whether what a story expects is so now. */

import type { World } from "../world/world.js";
import type { Expectation } from "./story.js";

type Line = World["lines"][number];

export function holds(world: World, expectation: Expectation): boolean {
  const { cast, register, ledger, lines } = world;
  const leaders = () => [...cast.living, ...cast.livingElectors].filter((process) => process.believes());
  switch (expectation.that) {
    case "leads":
      return cast.actor(expectation.who)?.believes() === true;
    case "leads-not":
      return cast.actor(expectation.who)?.believes() !== true;
    case "uncertain":
      return (
        lastOf(lines, expectation.who, ["elected", "uncertain", "confirmed", "lost"])?.event === "uncertain"
      );
    case "gone":
      return cast.actor(expectation.who) === undefined;
    case "nobody-leads":
      return leaders().length === 0;
    case "one-leads":
      return leaders().length === 1;
    case "ended": {
      const last = lastOf(lines, expectation.who, ["elected", "lost"]);
      return last?.event === "lost" && last.reason === expectation.reason;
    }
    case "refused":
      return lines.some((line) => {
        return line.event === "refused" && line.code === expectation.code && ranIn(line, expectation.who);
      });
    case "none-refused":
      return !lines.some(({ event }) => event === "refused");
    case "terms":
      return lines.filter(({ event }) => event === "elected").length === expectation.count;
    case "tries":
      return register.account.log.filter(isTake).length === expectation.count;
    case "tokens":
      return lines.every((line) => !("token" in line) || line.token <= expectation.count);
    case "ledger":
      return ledger.count.count === expectation.count;
    case "nothing-held":
      return register.current === undefined;
    case "record": {
      const record = register.current?.record;
      return record?.state === expectation.state && record.node === expectation.who;
    }
    default:
      return cast.visitor?.answers.at(-1) === expectation.answer;
  }
}

function lastOf(lines: readonly Line[], who: string, events: readonly Line["event"][]): Line | undefined {
  return lines.findLast((line) => ranIn(line, who) && events.includes(line.event));
}

/** `a`, `a.2`, and `a'` of the slot `a'`. */
function ranIn({ process }: Line, who: string): boolean {
  const cloned = process.endsWith("'");
  const [slot] = process.replace(/'$/, "").split(".");
  return (cloned ? `${slot}'` : slot) === who;
}

function isTake({ record, before }: World["register"]["account"]["log"][number]): boolean {
  return record.state === "held" && record.instance !== before?.record.instance;
}
