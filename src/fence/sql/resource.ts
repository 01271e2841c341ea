/** A guarded resource in a database: where it is, and how it is fenced. */

import type { ResolvedSqlOptions } from "./options.js";
import type { Site } from "./transaction.js";

export interface SqlResource<T> extends Site<T> {
  readonly options: ResolvedSqlOptions;
}
