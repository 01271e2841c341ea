/** `tenure/lab`: the ports of parts that others bring into the lab, and our own elector behind its seam. */

export type { CreateElector, Elector, ElectorHistory, ElectorParts } from "./foreign/elector.js";
export type { Assumptions, CreateGuard, CreateStore, GuardParts, ServerParts } from "./foreign/parts.js";
export { createElector } from "./foreign/tenure-elector.js";
