/**
 * The set, wherever it lies: every leader reads it whole, adds one element, and writes it back whole.
 *
 * What was read is written back as it is, without another look: the write knows nothing of who was
 * there since. With a guard it is the claim that refuses what is stale, as it would for a resource that
 * cannot compare what it holds; without one nothing does.
 */

import { setTimeout as pause } from "node:timers/promises";
import { TenureError } from "tenure";
import { fences } from "tenure/fence";
import { judgeSet } from "./judge.mjs";
import { resource } from "./place.mjs";
import { judgeVersions } from "./versions.mjs";

/** @typedef {import("./place.mjs").SetPlace} SetPlace */
/** @typedef {{ readonly fence: import("tenure").Fence, readonly before: readonly string[] }} Copy */

/**
 * What the held set does, whether or not it is behind a guard.
 *
 * @typedef {object} Access
 * @property {() => Promise<readonly string[]>} read
 * @property {(change: import("./place.mjs").Change, again: import("tenure").Attempt | undefined) => Promise<void>} write
 */

/**
 * @param {SetPlace} place
 * @returns {import("../workloads.mjs").Workload}
 */
export function setOn(place) {
  return {
    about: `a shared set ${place.about}, to which one element at a time is added`,
    resource,
    faults: place.faults,
    appliers: place.appliers,
    open: place.open,
    enter: async (form, path) => (form === "fenced" ? enterFenced(place, path) : enterPlain(place, path)),
    async judge(form, path, { writes, doubles }) {
      const { set, versions, appended } = await place.read(form, path);
      // Without a guard, what the versions lost is told of as losses.
      const reasons = form === "fenced" && versions !== undefined ? judgeVersions(versions, set) : [];
      const applied = doubles.filter(({ outcome }) => outcome === "acknowledged" || outcome === "unknown");
      const doubled = new Set(applied.map(({ element }) => element));
      return judgeSet(writes, { set, versions: versions?.length, reasons, appended }, doubled);
    },
  };
}

/**
 * @param {SetPlace} place
 * @param {string} path
 * @returns {Promise<import("../workloads.mjs").Entered>}
 */
async function enterFenced(place, path) {
  const { guard, read, write, close } = await place.enterFenced(path);
  /**
   * @param {unknown} handle
   * @returns {Access}
   */
  const over = (handle) => ({
    read: () => read(handle),
    write: (change, again) =>
      write(handle, change, again === undefined ? { opId: change.element } : { attempt: again }),
  });
  return {
    lead: (work) =>
      fences({ set: guard }, async ({ set }, leadership) =>
        work(heldOver(over(set), leadership), leadership),
      ),
    async double(copy, token, element) {
      const { fence, before } = /** @type {Copy} */ (copy);
      const held = over(await claimed(guard, fence));
      return () => held.write(changeOf(before, element, token), undefined);
    },
    close,
  };
}

const betweenClaimsMs = 20;

/**
 * A claim that is blocked, or not answered, is made again, as `fences` does.
 *
 * @template H
 * @param {import("tenure/fence").Guard<H>} guard
 * @param {import("tenure").Fence} fence
 * @returns {Promise<H>}
 */
async function claimed(guard, fence) {
  for (;;) {
    try {
      return await guard.claim(fence);
    } catch (cause) {
      if (!TenureError.is(cause) || cause.retry === "never") throw cause;
    }
    await pause(betweenClaimsMs);
  }
}

/**
 * @param {SetPlace} place
 * @param {string} path
 * @returns {Promise<import("../workloads.mjs").Entered>}
 */
async function enterPlain(place, path) {
  const { read, write, close } = await place.enterPlain(path);
  return {
    lead: (work) => (leadership) => work(heldOver({ read, write }, leadership), leadership),
    double: async (copy, token, element) => {
      const { before } = /** @type {Copy} */ (copy);
      return () => write(changeOf(before, element, token));
    },
    close,
  };
}

/**
 * @param {Access} access
 * @param {import("tenure").Leadership} leadership
 * @returns {import("../workloads.mjs").Held}
 */
function heldOver(access, { fence, token }) {
  return {
    async prepare(element) {
      const before = await access.read();
      return {
        saw: { size: before.length, last: before.at(-1) ?? null },
        copy: { fence, before },
        write: (again, inside) => access.write(changeOf(before, element, token, inside), again),
      };
    },
  };
}

/**
 * @param {readonly string[]} before
 * @param {string} element
 * @param {number} token
 * @param {() => void} inside
 * @returns {import("./place.mjs").Change}
 */
function changeOf(before, element, token, inside = () => {}) {
  return { next: [...before, element], element, token, inside };
}
