/** The order of steps in a claim, a write and a confirmation, seen by a recording twin of the file system. */

import { describe, expect, it } from "vitest";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { appending, missing, outline } from "../../support/disk-steps.js";
import { recording, type Step } from "../../support/interposed.js";
import { fence } from "../scene.js";
import { append, inDirectory, openGuard, resource } from "./scene.js";

/** Runs an act, and answers the steps that were done when it was answered. */
async function stepsOf(directory: string, steps: Step[], act: () => Promise<unknown>): Promise<string[]> {
  steps.length = 0;
  await act();
  return outline(directory, keyPath(directory, resource), steps);
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
        "makeDirectory key",
        "sync root",
        ...appending(1),
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
          expect(seen.slice(from, from + 5)).toEqual(appending(number).slice(0, 5));
          expect(missing(seen, appending(number))).toEqual([]);
          // What is deleted is deleted when the answer is safe.
          const removed = seen.findIndex((step) => step.startsWith("remove version"));
          const safe = seen.lastIndexOf("list key");
          expect(number > 17 ? removed > safe : removed === -1, `version ${number}`).toBe(true);
        }
        number += 1;
        const seen = await stepsOf(directory, steps, async () => {
          handle = await guard.claim(fence({ token, election: "other" }));
        });
        expect(missing(seen, appending(number))).toEqual([]);
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
        expect(seen.at(-1)).toBe("sync key");
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
