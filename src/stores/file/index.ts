/** `tenure/file`: a lease store in a directory, for the processes of one host. */

export { type FileStoreOptions, fileStore } from "./store.js";
