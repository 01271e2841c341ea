/** `tenure/lease`: a lease over a store, the default algorithm. */

export type { LeaseBid, LeaseRecord, LeaseRequest, LeaseState } from "./record.js";
export type { Call, Store, StoreCapabilities, Stored, Version, Written } from "./store.js";
export { type LeaseOptions, lease } from "./lease.js";
