/** A directory of file guards, or of journals. */

import { basename } from "node:path";
import { keyPath } from "../../chain/layout.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";
import { createError } from "../../errors/index.js";
import { keptActs } from "../../fence/acts.js";
import { cellOperator } from "../../fence/cell-operator.js";
import { fileGuard } from "../../fence/file/index.js";
import { type FencedDirectory, type FencedResource, lookAtDirectory } from "../../fence/file/look.js";
import { verifyFence } from "../../fence/verify/index.js";
import { JournalCell } from "../../journal/cell.js";
import { usageError } from "../usage-error.js";
import type { GuardPlace, PlaceOptions, Seen, SeenResource } from "./place.js";

export async function openDirectory(root: string, { maxBytes }: PlaceOptions): Promise<GuardPlace> {
  const found = await look(root);
  const { holds } = found;
  if (holds !== "guard" && holds !== "journal") {
    throw usageError(`${root} holds a store, not a guard; see tenure status`);
  }
  return {
    holds,
    look: async (resource) =>
      seenOf(await look(root), resource === undefined ? undefined : keyPath(root, resource)),
    operator(resource) {
      if (holds === "journal") {
        const options = { root, resource, rememberOperations: 1_024 };
        return cellOperator(new JournalCell(options, nodeFileSystem), resource);
      }
      // Whoever keeps all versions for an audit keeps them: nothing is pruned from here.
      const options = { resource, initial: null, keepVersions: Infinity };
      return fileGuard(root, maxBytes === undefined ? options : { ...options, maxBytes }).operator;
    },
    async verify() {
      if (holds === "guard") return verifyFence((resource) => fileGuard(root, { resource, initial: null }));
      throw usageError(`${root} holds a journal, whose entries would stay; probes are sent to guards`);
    },
    close: async () => {},
  };
}

async function look(root: string): Promise<FencedDirectory> {
  const found = await lookAtDirectory(root).catch((cause: unknown) => {
    throw createError("GUARD_FAILED", `${root} cannot be read`, { cause });
  });
  if (found === undefined) throw createError("GUARD_FAILED", `there is no guard in ${root}`);
  return found;
}

function seenOf({ resources }: FencedDirectory, path: string | undefined): Seen {
  const wanted = resources.filter(({ directory }) => path === undefined || directory === basename(path));
  const acts = wanted.flatMap((one) => one.acts.map((act) => ({ ...act, resource: one.directory })));
  return {
    resources: wanted.map(resourceOf),
    acts: acts.toSorted((a, b) => b.at - a.at).slice(0, keptActs),
  };
}

function resourceOf({ directory, version, rows }: FencedResource): SeenResource {
  if (typeof rows === "string") return { name: directory, version, problem: rows, rows: [] };
  const shown = rows.map(({ namespace, election, row: { lineage, watermark, owner, seq } }) => {
    return { namespace, election, lineage, watermark, owner, seq };
  });
  return { name: directory, version, problem: null, rows: shown };
}
