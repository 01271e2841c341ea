/** What a failing file system looks like to a leader. Injected at the port: the suite may run as root. */

import { describe, expect, it } from "vitest";
import type { FileSystem } from "../../../src/chain/file-system.js";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { TenureError } from "../../../src/errors/index.js";
import { failing, interpose, type Step } from "../../support/interposed.js";
import { fence } from "../scene.js";
import {
  append,
  failure,
  inDirectory,
  isVersionLink,
  onDisk,
  openGuard,
  resource,
  standing,
} from "./scene.js";

type Matches = (step: Step) => boolean;

const isNewFile: Matches = ({ name }) => name === "writeNew";
const isNewSync: Matches = ({ name, paths }) => name === "sync" && /temp-/.test(paths[0] ?? "");

/** The first step that matches once the version was linked. */
function afterLink(matches: Matches): Matches {
  let linked = false;
  return (step) => {
    const hit = linked && matches(step);
    linked ||= isVersionLink(step);
    return hit;
  };
}

/** A file system that is whole until it is armed. */
function armed(
  errorName: string,
  matches: Matches,
): { readonly files: FileSystem; readonly arm: () => void } {
  let on = false;
  return {
    files: failing(nodeFileSystem, errorName, (step) => on && matches(step)),
    arm: () => {
      on = true;
    },
  };
}

const beforeLink: readonly (readonly [string, string, Matches])[] = [
  ["EACCES", "a new file", isNewFile],
  ["EROFS", "a new file", isNewFile],
  ["ENOSPC", "a new file", isNewFile],
  ["EIO", "a new file", isNewFile],
  ["EIO", "its fsync", isNewSync],
  ["ENOSPC", "its fsync", isNewSync],
  ["EACCES", "the link", isVersionLink],
  ["EROFS", "the link", isVersionLink],
  ["ENOSPC", "the link", isVersionLink],
  ["EPERM", "the link", isVersionLink],
  ["EACCES", "a listing", ({ name }) => name === "list"],
  ["EIO", "a read", ({ name, paths }) => name === "read" && /\/\d+-/.test(paths[0] ?? "")],
];

describe("errors before anything was done", () => {
  for (const [name, where, matches] of beforeLink) {
    it(`when ${where} meets ${name}, a write is GUARD_FAILED with the cause, its number is free and the next one passes`, async () => {
      await inDirectory(async (directory) => {
        const { files, arm } = armed(name, matches);
        const handle = await openGuard(directory, files, { order: "strict" }).claim(fence());
        await append(handle, "1");
        arm();
        const error = await failure(append(handle, "2"));
        expect(error).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
        expect(String((error as Error).cause)).toContain(name);
        expect((await onDisk(directory)).temporaries).toBe(0);
        expect((await standing(directory)).texts).toEqual(["1"]);
        await append(handle, "2");
        expect((await standing(directory)).texts).toEqual(["1", "2"]);
      });
    });

    it(`when ${where} meets ${name}, a claim is GUARD_FAILED and raises nothing`, async () => {
      await inDirectory(async (directory) => {
        const { files, arm } = armed(name, matches);
        const guard = openGuard(directory, files);
        await append(await guard.claim(fence({ token: 6, owner: "before" })), "1");
        arm();
        const error = await failure(guard.claim(fence({ token: 8 })));
        expect(error).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
        await guard.claim(fence({ token: 7 }));
      });
    });
  }
});

const unclear: readonly (readonly [string, string, () => Matches, boolean])[] = [
  ["EIO", "the link breaks off", () => isVersionLink, false],
  ["EIO", "the directory's fsync after the link fails", () => afterLink(({ name }) => name === "sync"), true],
  [
    "ENOSPC",
    "the directory's fsync after the link fails",
    () => afterLink(({ name }) => name === "sync"),
    true,
  ],
  ["EACCES", "the listing after the link fails", () => afterLink(({ name }) => name === "list"), true],
];

describe("errors with an unknown outcome", () => {
  for (const [name, what, matches, there] of unclear) {
    it(`when ${what} (${name}), the write is GUARD_UNCONFIRMED and its attempt, handed back, is in effect once`, async () => {
      await inDirectory(async (directory) => {
        const { files, arm } = armed(name, matches());
        const handle = await openGuard(directory, files).claim(fence());
        arm();
        const error = await failure(append(handle, "1"));
        if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
        expect(error.outcome).toBe("unknown");
        expect((await standing(directory)).texts).toEqual(there ? ["1"] : []);
        expect(await append(handle, "1", { attempt: error.attempt })).toBe(1);
        await append(handle, "2");
        expect((await standing(directory)).texts).toEqual(["1", "2"]);
      });
    });

    it(`when ${what} (${name}), the claim is CLAIM_UNCONFIRMED and can be repeated`, async () => {
      await inDirectory(async (directory) => {
        const { files, arm } = armed(name, matches());
        const guard = openGuard(directory, files);
        await guard.claim(fence({ token: 6, owner: "before" }));
        arm();
        const error = await failure(guard.claim(fence({ token: 8 })));
        expect(error).toMatchObject({ code: "CLAIM_UNCONFIRMED", outcome: "unknown" });
        await append(await guard.claim(fence({ token: 8 })), "1");
        expect(await standing(directory)).toEqual({ texts: ["1"], watermark: 8 });
      });
    });
  }

  it("when the second try of an unconfirmed write fails before it did anything, the outcome stays unknown", async () => {
    await inDirectory(async (directory) => {
      let mode: "whole" | "break" | "full" = "whole";
      const files = interpose(nodeFileSystem, async (step, run) => {
        const hit = mode === "break" ? isVersionLink(step) : mode === "full" && isNewFile(step);
        if (hit) throw Object.assign(new Error("injected"), { code: mode === "break" ? "EIO" : "ENOSPC" });
        return run();
      });
      const handle = await openGuard(directory, files).claim(fence());
      mode = "break";
      const first = await failure(append(handle, "1"));
      if (!TenureError.is(first, "GUARD_UNCONFIRMED")) throw first;
      mode = "full";
      const second = await failure(append(handle, "1", { attempt: first.attempt }));
      if (!TenureError.is(second, "GUARD_UNCONFIRMED")) throw second;
      expect(second.attempt).toEqual(first.attempt);
      mode = "whole";
      await append(handle, "1", { attempt: second.attempt });
      expect((await standing(directory)).texts).toEqual(["1"]);
    });
  });

  it("when what an answer rests on cannot be made durable, a duplicate and a repeated claim fail rather than being answered", async () => {
    await inDirectory(async (directory) => {
      const { files, arm } = armed("EIO", ({ name, paths }) => {
        return name === "sync" && paths[0] === keyPath(directory, resource);
      });
      const guard = openGuard(directory, files);
      const handle = await guard.claim(fence());
      await append(handle, "1", { opId: "one" });
      arm();
      expect(await failure(append(handle, "1", { opId: "one" }))).toMatchObject({ code: "GUARD_FAILED" });
      expect(await append(handle, "1", { opId: "one" })).toBe(1);
      const other = armed("EIO", ({ name }) => name === "sync");
      const again = openGuard(directory, other.files);
      await again.inspect();
      other.arm();
      expect(await failure(again.claim(fence()))).toMatchObject({ code: "GUARD_FAILED" });
      await again.claim(fence());
      expect((await standing(directory)).texts).toEqual(["1"]);
    });
  });
});

describe("cancellation", () => {
  it("when the signal is aborted before the link, nothing is applied and the write rejects with its reason", async () => {
    await inDirectory(async (directory) => {
      const ended = new AbortController();
      const reason = new Error("no longer wanted");
      let on = false;
      const files = interpose(nodeFileSystem, async (step, run) => {
        const result = await run();
        if (on && isNewSync(step)) ended.abort(reason);
        return result;
      });
      const handle = await openGuard(directory, files, { order: "strict" }).claim(fence());
      on = true;
      expect(await failure(append(handle, "1", { signal: ended.signal }))).toBe(reason);
      expect(await onDisk(directory)).toEqual({ numbers: [1], temporaries: 0 });
      await append(handle, "1");
      expect((await standing(directory)).texts).toEqual(["1"]);
    });
  });

  it("when the signal is aborted after the link, the write is finished and answered", async () => {
    await inDirectory(async (directory) => {
      const ended = new AbortController();
      let on = false;
      const files = interpose(nodeFileSystem, async (step, run) => {
        const result = await run();
        if (on && isVersionLink(step)) ended.abort();
        return result;
      });
      const handle = await openGuard(directory, files).claim(fence());
      on = true;
      expect(await append(handle, "1", { signal: ended.signal })).toBe(1);
      expect((await standing(directory)).texts).toEqual(["1"]);
    });
  });
});
