/**
 * A write, from the caller's expectation to the answer.
 *
 * Compares early, so that a writer which is late leaves no trace; what happens
 * between this comparison and the link is the business of `append.ts`.
 */

import { encodeRecord, type LeaseRecord } from "../../lease/record.js";
import type { Call, Version, Written } from "../../lease/store.js";
import { append } from "../../chain/append.js";
import { type Bells, outline } from "./bell.js";
import type { Doubts } from "./doubts.js";
import { type Body, recordFormat, toStored, versionOf } from "./format.js";
import { type Head, readChain } from "../../chain/chain.js";
import type { FileSystem } from "../../chain/file-system.js";
import type { VersionFile } from "../../chain/layout.js";
import type { Identity } from "../../chain/marker.js";
import type { Opening } from "../../chain/opening.js";
import { prune } from "../../chain/prune.js";

/** What a write needs of its store object. */
export interface Inside {
  readonly files: FileSystem;
  readonly root: string;
  readonly keepVersions: number;
  readonly opening: Opening;
  readonly bells: Bells;
  readonly doubts: Doubts;
  readonly stillWanted: (call: Call) => void;
}

export async function replace(
  inside: Inside,
  path: string,
  record: LeaseRecord,
  expected: Version | undefined,
  call: Call,
): Promise<Written> {
  const { files, opening, bells } = inside;
  const content = encodeRecord(record);
  const identity = await opening.open();
  const { head } = await readChain(files, path, identity.generation, recordFormat);
  if (!matches(identity, head, expected)) {
    if (head !== undefined) await inside.doubts.settle(path);
    return { kind: "conflict", current: toStored(identity, head) };
  }
  // Another directory may be an older copy: what it shows proves no more than what it lacks.
  if (call.absence === "prove" && !opening.isFirst(identity)) {
    return { kind: "unproven", epoch: identity.epoch };
  }
  const site = { files, directory: inside.root, path, opening, format: recordFormat };
  const stillWanted = () => inside.stillWanted(call);
  const news = isNews(record, head);
  const announce = async (file: VersionFile) => (news ? bells.ring(path, file) : undefined);
  const { nonce } = record;
  const version = { body: record, nonce, content, head, identity, stillWanted, announce };
  const appended = await inside.doubts.about(path, async () => append(site, version));
  if (appended.kind === "conflict") {
    if (appended.head !== undefined) await inside.doubts.settle(path);
    return { kind: "conflict", current: toStored(appended.identity, appended.head) };
  }
  const { own, chain } = appended;
  await prune(files, path, chain, own.file, inside.keepVersions);
  return { kind: "written", version: versionOf(identity, own), epoch: identity.epoch };
}

/** What cannot be read matches nothing: it is never written over. */
function matches(identity: Identity, head: Head<Body> | undefined, expected: Version | undefined): boolean {
  if (head === undefined || expected === undefined) return head === undefined && expected === undefined;
  return typeof head.body !== "string" && versionOf(identity, head) === expected;
}

function isNews(record: LeaseRecord, head: Head<Body> | undefined): boolean {
  return head === undefined || typeof head.body === "string" || outline(head.body) !== outline(record);
}
