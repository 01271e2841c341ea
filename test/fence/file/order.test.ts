/** The order of steps in a claim, a write and a confirmation, seen by a recording twin of the file system. */

import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { recording, type Step } from "../../stores/file/interposed.js";
import { fence } from "../scene.js";
import { append, inDirectory, openGuard, resource } from "./scene.js";

/** Steps as "name kind", where kind tells new file, version, the resource's directory and root apart. */
function outline(directory: string, steps: readonly Step[]): string[] {
  const kind = (path: string) => {
    if (path === directory) return "root";
    if (path === dirname(directory)) return "parent";
    if (path === keyPath(directory, resource)) return "resource";
    const name = basename(path);
    if (name.startsWith("temp-")) return "new";
    return /^\d/.test(name) ? `version ${Number(name.slice(0, 16))}` : name;
  };
  return steps.map(({ name, paths }) => `${name} ${kind(paths.at(-1) ?? "")}`);
}

const core = (number: number) => [
  "writeNew new",
  "sync new",
  `link version ${number}`,
  "sync resource",
  "remove new",
  "list resource",
];

/** What is missing of `wanted`, in this order with other steps in between. */
function missing(seen: readonly string[], wanted: readonly string[]): readonly string[] {
  let at = 0;
  for (const step of seen) if (step === wanted[at]) at += 1;
  return wanted.slice(at);
}

/** Runs an act, and answers the steps that were done when it was answered. */
async function stepsOf(directory: string, steps: Step[], act: () => Promise<unknown>): Promise<string[]> {
  steps.length = 0;
  await act();
  return outline(directory, steps);
}

describe("the order of steps", () => {
  it("when a directory is claimed for the first time, each entry is durable before anything below it can be seen", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      const guard = openGuard(directory, recording(nodeFileSystem, steps));
      const seen = await stepsOf(directory, steps, async () => guard.claim(fence()));
      const wanted = [
        "makeDirectory root",
        "sync parent",
        "writeNew new",
        "sync new",
        "link marker.json",
        "sync root",
        "mountType root",
        "makeDirectory resource",
        "sync root",
        ...core(1),
      ];
      expect(missing(seen, wanted)).toEqual([]);
    });
  });

  it("when a claim or a write makes a version, it is synced, linked, its directory synced, and only then answered", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      const guard = openGuard(directory, recording(nodeFileSystem, steps));
      let number = 0;
      for (let token = 1; token <= 6; token += 1) {
        let handle = await guard.claim(fence({ token }));
        number += 1;
        for (let write = 0; write < 3; write += 1) {
          number += 1;
          const seen = await stepsOf(directory, steps, async () => append(handle, "x"));
          const from = seen.indexOf("writeNew new");
          expect(seen.slice(from, from + 5)).toEqual(core(number).slice(0, 5));
          expect(missing(seen, core(number))).toEqual([]);
          // What is deleted is deleted when the answer is safe.
          const removed = seen.findIndex((step) => step.startsWith("remove version"));
          const safe = seen.lastIndexOf("list resource");
          expect(number > 17 ? removed > safe : removed === -1, `version ${number}`).toBe(true);
        }
        number += 1;
        const seen = await stepsOf(directory, steps, async () => {
          handle = await guard.claim(fence({ token, election: "other" }));
        });
        expect(missing(seen, core(number))).toEqual([]);
      }
    });
  });

  it("when an answer rests on what was read, that is made durable before it, and nothing is written", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      const guard = openGuard(directory, recording(nodeFileSystem, steps));
      const handle = await guard.claim(fence());
      await append(handle, "x", { opId: "one" });
      const confirmations = [
        async () => guard.claim(fence()),
        async () => append(handle, "x", { opId: "one" }),
      ];
      for (const confirm of confirmations) {
        const seen = await stepsOf(directory, steps, confirm);
        expect(seen.at(-1)).toBe("sync resource");
        expect(seen.filter((step) => /^(writeNew|link|remove|makeDirectory)/.test(step))).toEqual([]);
      }
    });
  });

  it("when a claim or a write is refused, no file is made", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      const guard = openGuard(directory, recording(nodeFileSystem, steps));
      const old = await guard.claim(fence({ token: 7 }));
      await guard.claim(fence({ token: 8, owner: "b" }));
      for (const act of [async () => guard.claim(fence({ token: 7 })), async () => append(old, "late")]) {
        const seen = await stepsOf(directory, steps, async () => expect(act()).rejects.toThrow("STALE"));
        expect(seen.filter((step) => !/^(stat|read|list) /.test(step))).toEqual([]);
      }
    });
  });
});
