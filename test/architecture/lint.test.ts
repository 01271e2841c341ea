import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runToEnd } from "../support/child.js";
import { root } from "./files.js";

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly filename: string;
}

const folder = mkdtempSync(join(tmpdir(), "tenure-lint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lint(files: Readonly<Record<string, string>>): readonly string[] {
  for (const name of [".oxlintrc.json", "tsconfig.json", "package.json"])
    cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const oxlint = join(root, "node_modules", ".bin", "oxlint");
  const { stdout } = runToEnd(oxlint, ["--type-aware", "--deny-warnings", "-f", "json"], folder, 20_000);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] };
  return diagnostics.map(
    ({ filename, code, message, help = "" }) => `${filename} ${code}: ${message} ${help}`,
  );
}

const forbidden = `
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
export const a = [Date.now(), new Date(), performance.now(), Math.random(), randomUUID(), hostname()];
export const b = [setTimeout, setInterval, setImmediate, process.env["A"], globalThis.name, crypto.randomUUID()];
export const c = AbortSignal.timeout(1);
console.log(a, b, c);
void sleep;
`;
const careless = `
export async function work(): Promise<void> {}
export function start(emitter: { on(listener: () => void): void }): void {
  work();
  emitter.on(async () => work());
}
export const any = (x: any) => x.y;
export default any;
`;

const found = lint({
  "src/lease/a.ts": forbidden,
  "src/cli/b.ts": forbidden,
  "src/base/real-clock.ts": forbidden,
  "src/lease/c.ts": careless,
  "test/d.test.ts": `import { test } from "vitest";\ntest.only("x", () => void setTimeout(() => {}, 1));\n`,
});

describe("lint", () => {
  test.each([
    ["Date", "Clock port"],
    ["performance", "Clock port"],
    ["setTimeout", "Clock port"],
    ["setInterval", "Clock port"],
    ["setImmediate", "Clock port"],
    ["AbortSignal.timeout", "Clock port"],
    ["node:timers/promises", "Clock port"],
    ["Math.random", "Random port"],
    ["randomUUID", "Random port"],
    ["crypto", "Random port"],
    ["node:os", "src/base/host.ts"],
    ["process", "Only src/cli"],
    ["console", "Logger option"],
    ["globalThis", "Name what you need"],
  ])("when a source file uses %s, it is refused and pointed to %s", (name, remedy) => {
    const lines = found.filter((line) => line.startsWith("src/lease/a.ts ") && line.includes(`'${name}'`));
    expect(lines).toEqual(expect.arrayContaining([expect.stringContaining(remedy)]));
  });

  test("the named files and the command may use them", () => {
    expect(found.filter((line) => /^src\/(cli|base)\/.*no-restricted/.test(line))).toEqual([]);
  });

  test.each(["no-floating-promises", "no-misused-promises", "no-explicit-any", "no-default-export"])(
    "when a source file breaks %s, it is refused",
    (rule) => {
      expect(found).toEqual(expect.arrayContaining([expect.stringMatching(`^src/lease/c.ts .*${rule}`)]));
    },
  );

  test("when a test sleeps or is focused, it is refused", () => {
    const lines = found.filter((line) => line.startsWith("test/d.test.ts"));
    expect(lines).toEqual(
      expect.arrayContaining([expect.stringContaining("virtual clock"), expect.stringContaining("focused")]),
    );
  });
});
