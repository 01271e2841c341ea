/**
 * Tests that need a real server. Where it is missing they are skipped, counted, and say why in their titles; with
 * TENURE_REQUIRE_SERVERS=1, as in `.ci/run`, they fail.
 */
import { describe, test } from "vitest";
import { locate, type ServerName } from "./binaries.js";

export function describeWithServer(
  names: ServerName | readonly ServerName[],
  title: string,
  body: () => void,
): void {
  const reasons = missing([names].flat());
  if (reasons.length === 0) {
    describe(title, body);
    return;
  }
  const why = reasons.join("; ");
  if (isRequired()) {
    test(`${title}: its server is there`, () => {
      throw new Error(why);
    });
  }
  describe.skip(`${title} (skipped: ${why})`, body);
}

export function testWithServer(
  names: ServerName | readonly ServerName[],
  title: string,
  body: () => Promise<void>,
): void {
  const reasons = missing([names].flat());
  const why = reasons.join("; ");
  if (reasons.length === 0) test(title, body);
  else if (isRequired()) {
    test(title, () => {
      throw new Error(why);
    });
  } else test.skip(`${title} (skipped: ${why})`, body);
}

function missing(names: readonly ServerName[]): readonly string[] {
  return names.flatMap((name) => {
    const found = locate(name);
    return "missing" in found ? [found.missing] : [];
  });
}

function isRequired(): boolean {
  return process.env["TENURE_REQUIRE_SERVERS"] === "1";
}
