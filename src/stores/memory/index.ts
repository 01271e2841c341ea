/** `tenure/memory`: a lease store inside one process. */

export { type MemoryStoreOptions, memoryStore } from "./store.js";
