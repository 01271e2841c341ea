/**
 * Tests that need a real server. Where it is missing they are skipped, counted, and say why in their titles; with
 * TENURE_REQUIRE_SERVERS=1, as in `.ci/run`, they fail.
 */
import { beforeAll, describe } from "vitest";
import { locate, machine, type Places, type ServerName } from "./binaries.js";

export interface Plan {
  readonly title: string;
  readonly isSkipped: boolean;
  /** Why the tests cannot run, although they must. */
  readonly failure: string | undefined;
}

export function plan(names: readonly ServerName[], title: string, isRequired: boolean, places: Places): Plan {
  const why = names
    .map((name) => locate(name, places))
    .flatMap((found) => ("missing" in found ? [found.missing] : []))
    .join("; ");
  if (why === "") return { title, isSkipped: false, failure: undefined };
  if (isRequired) return { title, isSkipped: false, failure: `TENURE_REQUIRE_SERVERS=1, and ${why}` };
  return { title: `${title} (skipped: ${why})`, isSkipped: true, failure: undefined };
}

/** A group of tests; its body runs also when they are skipped, so it starts nothing outside of tests and hooks. */
export function describeWithServer(
  names: ServerName | readonly ServerName[],
  title: string,
  body: () => void,
): void {
  const isRequired = process.env["TENURE_REQUIRE_SERVERS"] === "1";
  const planned = plan([names].flat(), title, isRequired, machine());
  const group = planned.isSkipped ? describe.skip : describe;
  group(planned.title, () => {
    beforeAll(() => {
      if (planned.failure !== undefined) throw new Error(planned.failure);
    });
    body();
  });
}
