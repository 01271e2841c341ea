/**
 * Tests that need a real server. Where it is missing they are skipped, counted, and say why in their titles; with
 * TENURE_REQUIRE_SERVERS=1, as in `.ci/run`, that is a failure.
 */
import { beforeAll, describe } from "vitest";
import { locate, type ServerName } from "./binaries.js";

/** A group of tests; its body runs also when they are skipped, so it starts nothing outside of tests and hooks. */
export function describeWithServer(
  names: ServerName | readonly ServerName[],
  title: string,
  body: () => void,
): void {
  const why = reasons([names].flat());
  const isSkipped = why !== "" && process.env["TENURE_REQUIRE_SERVERS"] !== "1";
  const group = isSkipped ? describe.skip : describe;
  group(isSkipped ? `${title} (skipped: ${why})` : title, () => {
    beforeAll(() => {
      if (why !== "") throw new Error(`TENURE_REQUIRE_SERVERS=1, and ${why}`);
    });
    body();
  });
}

function reasons(names: readonly ServerName[]): string {
  return names
    .map((name) => locate(name))
    .flatMap((found) => ("missing" in found ? [found.missing] : []))
    .join("; ");
}
