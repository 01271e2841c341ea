/** The file store on a simulated disk: no real I/O, so that it runs in virtual time. */

import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import type { FileSystem } from "../../src/chain/file-system.js";
import { createFileStore } from "../../test/stores/file/scene.js";
import { createSimulatedDisk } from "../../test/support/simulated-disk.js";

/** `around` may put failures in front of the disk. */
export function simulatedFileStore(around: (files: FileSystem) => FileSystem = (files) => files): Store {
  return createFileStore("/store", {}, around(createSimulatedDisk().files));
}

/** A fresh store of each kind; each is its own election. */
export function bothStores(): readonly { readonly kind: string; readonly store: Store }[] {
  return [
    { kind: "memory", store: memoryStore() },
    { kind: "file", store: simulatedFileStore() },
  ];
}
