import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { publint } from "publint";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { root } from "../architecture/files.js";
import { manifest, subpaths } from "../architecture/manifest.js";
import { complaints } from "../support/compile.js";
import { runToEnd } from "../support/child.js";
import { installPackage } from "./installed.js";

const installed = installPackage("tenure");
afterAll(() => installed.remove());
const contents = runToEnd("tar", ["-tzf", installed.tarball], installed.folder).stdout.trim().split("\n");

describe("the tarball", () => {
  test("holds what was built, what people read and copy, and no source, test or configuration", () => {
    const allowed =
      /^package\/(dist\/|docs\/|examples\/|schemas\/|package\.json$|LICENSE$|README\.md$|CHANGELOG\.md$)/;
    expect(contents.filter((path) => !allowed.test(path))).toEqual([]);
    expect(contents.filter((path) => /\.test\./.test(path))).toEqual([]);
    expect(contents).toEqual(
      expect.arrayContaining(["package/LICENSE", "package/README.md", "package/CHANGELOG.md"]),
    );
  });

  test("installs the command, with the schemas of what it prints", () => {
    const command = join(installed.folder, "node_modules", ".bin", "tenure");
    const { code, stdout } = runToEnd(command, ["--version"], installed.folder);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${manifest.version}\n` });
    expect(contents).toContain("package/schemas/tenure.run-1.json");
    const run = runToEnd(
      command,
      ["run", "x", "--store", "file:s", "--", "sh", "-c", "exit 9"],
      installed.folder,
    );
    expect(run.code, run.stderr).toBe(9);
  });

  test("brings no dependency along", () => {
    expect(manifest.dependencies).toBeUndefined();
  });

  test("has no complaint from publint", async () => {
    const tarball = new Uint8Array(readFileSync(installed.tarball)).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });

  test("has the types it says in every resolution; from CommonJS under node16 it is ESM only", () => {
    const attw = join(root, "node_modules", ".bin", "attw");
    const file = join(installed.folder, "attw.json");
    // It ends without waiting for a pipe to be read, so its answer goes to a file.
    const line = `"${attw}" "${installed.tarball}" --format json --no-definitely-typed > "${file}"`;
    runToEnd("sh", ["-c", line], installed.folder);
    const { analysis } = JSON.parse(readFileSync(file, "utf8")) as { analysis: AttwAnalysis };
    const found = analysis.problems.map((p) => `${p.entrypoint} ${p.resolutionKind} ${p.kind}`).toSorted();
    const expected = subpaths.map((path) => `${path.replace("tenure", ".")} node16-cjs CJSResolvesToESM`);
    expect(found).toEqual(expected.toSorted());
  });
});

interface AttwAnalysis {
  readonly problems: readonly {
    readonly entrypoint?: string;
    readonly resolutionKind?: string;
    readonly kind: string;
  }[];
}

describe("at run time", () => {
  test.each(subpaths)("import %s gives names, leaves no handle open and reads no environment", (path) => {
    const { code, stdout, stderr } = runToEnd(
      "node",
      ["--input-type=module", "-e", probe, path],
      installed.folder,
      10_000,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({ names: expect.any(Number) as number, reads: [], handles: [] });
  });

  test.each(subpaths)("require %s works, because no module waits at its top level", (path) => {
    const code = `const m = require(process.argv[1]); console.log(Object.keys(m).length)`;
    const outcome = runToEnd("node", ["--no-warnings", "-e", code, path], installed.folder, 10_000);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    const resolved = createRequire(join(installed.folder, "x.js")).resolve(path);
    expect(resolved).toContain(join("node_modules", "tenure", "dist"));
  });
});

/** Reads of the environment count when a file of the package is on the stack: Node's own loader reads some too. */
const probe = `
  const reads = [];
  const note = (name) => { if (new Error().stack.includes("node_modules/tenure/")) reads.push(String(name)); };
  process.env = new Proxy(process.env, {
    get: (target, name) => (note(name), target[name]),
    has: (target, name) => (note(name), name in target),
    ownKeys: (target) => (note("*"), Reflect.ownKeys(target)),
  });
  void [process.stdin, process.stdout, process.stderr]; // opened by Node when first named
  const before = process.getActiveResourcesInfo();
  const module = await import(process.argv[1]);
  await new Promise(setImmediate); // the loader closes the last file it read
  const handles = process.getActiveResourcesInfo().slice(before.length);
  process.stdout.write(JSON.stringify({ names: Object.keys(module).length, reads, handles }));
`;

describe("TypeScript, with declarations checked under lib es2022 and the types of Node 20", () => {
  const { ModuleKind, ModuleResolutionKind } = ts;
  const text = subpaths
    .map((path, index) => `import * as m${index} from "${path}";\nvoid m${index};\n`)
    .join("");
  const check = (names: readonly string[], options: ts.CompilerOptions): readonly string[] => {
    const files = names.map((name) => join(installed.folder, name));
    return complaints(files, installed.folder, {
      options,
      virtual: new Map(files.map((file) => [file, text])),
    });
  };
  const bundler = { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler };
  const node10 = { ...bundler, moduleResolution: ModuleResolutionKind.Node10, ignoreDeprecations: "6.0" };

  test.each([
    ["nodenext, from ESM and CommonJS", ["main.mts", "main.cts"], { module: ModuleKind.NodeNext }],
    ["node20, from ESM and CommonJS", ["main.mts", "main.cts"], { module: ModuleKind.Node20 }],
    ["node16, from ESM", ["main.mts"], { module: ModuleKind.Node16 }],
    ["bundler", ["main.ts"], bundler],
    ["node10, by typesVersions", ["main.ts"], node10],
  ])("%s: every subpath resolves and checks", (_title, names, options) => {
    expect(check(names, options)).toEqual([]);
  });

  test("node16, from CommonJS: refused with TS1479, so use node20", () => {
    const found = check(["main.cts"], { module: ModuleKind.Node16 });
    expect(found.map((line) => line.split(" ")[1])).toEqual(subpaths.map(() => "TS1479"));
  });
});
