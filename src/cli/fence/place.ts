/** Where guarded resources lie, as the verbs of `fence` use it. Types only. */

import type { FenceAct } from "../../fence/acts.js";
import type { FenceOperator } from "../../fence/operator.js";
import type { TableNames } from "../../fence/sql/tables.js";
import type { FenceVerification } from "../../fence/verify/index.js";

export interface SeenRow {
  readonly namespace: string;
  readonly election: string;
  readonly lineage: string;
  readonly watermark: number;
  readonly owner: string;
  readonly seq: number;
  /** Where a claim holds in one run of a server: whether it holds now. */
  readonly inForce?: boolean;
}

export interface SeenResource {
  /** Of a directory the name of the folder; of tables and of a server the name of the resource; of a stream the subject. */
  readonly name: string;
  /** How many versions there have been; null where there are none. */
  readonly version: number | null;
  /** Null when what fences it can be read. `unfenced`: of a subject whose last message shows nothing of a guard. */
  readonly problem: "newer" | "unreadable" | "unfenced" | null;
  readonly rows: readonly SeenRow[];
}

export interface Seen {
  readonly resources: readonly SeenResource[];
  /** The latest first; a text says why they cannot be seen. */
  readonly acts: readonly (FenceAct & { readonly resource: string })[] | string;
}

export interface GuardPlace {
  readonly holds: "guard" | "journal" | "tables" | "keys" | "subjects" | "service";
  look(resource: string | undefined): Promise<Seen>;
  operator(resource: string): FenceOperator;
  /** Rejects with a usage error where no probes can be sent. */
  verify(): Promise<FenceVerification>;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly tables: TableNames;
  /** Of the keys of guards on Redis. */
  readonly prefix: string | undefined;
  /** Of a stream, where probes are to go; where it is not named, they go to a stream of their own. */
  readonly subject: string | undefined;
  /** Of the versions in a directory. */
  readonly maxBytes: number | undefined;
  /** For what a client does not look up there by itself. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}
