/** Electors of one usual mistake each, by the name that stories know them by. */

import type { CreateElector } from "../../../src/lab/foreign/elector.js";
import { CounterOutside } from "./counter-outside.js";
import { CountsTries } from "./counts-tries.js";
import { DeadlineFromReply } from "./deadline-from-reply.js";
import { ReleaseUnasked } from "./release-unasked.js";
import { SameId } from "./same-id.js";
import { TwoKeys } from "./two-keys.js";

export const specimens: Readonly<Record<string, CreateElector>> = {
  "counter-outside": (parts) => new CounterOutside(parts),
  "counts-tries": (parts) => new CountsTries(parts),
  "deadline-from-reply": (parts) => new DeadlineFromReply(parts),
  "release-unasked": (parts) => new ReleaseUnasked(parts),
  "two-keys": (parts) => new TwoKeys(parts),
  "same-id": (parts) => new SameId(parts),
};
