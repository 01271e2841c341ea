/** `tenure/lease`: a lease over a store, the default algorithm. */

export type { LeaseTimingOptions } from "./budget.js";
export {
  decodeRecord,
  encodeRecord,
  type LeaseBid,
  type LeaseRecord,
  type LeaseRequest,
  type LeaseState,
} from "./record.js";
export type {
  BatchedRead,
  BatchedWrite,
  Call,
  Failed,
  Store,
  StoreCapabilities,
  StoreFinding,
  Stored,
  Version,
  Written,
} from "./store.js";
export { type LeaseOptions, lease } from "./lease.js";
