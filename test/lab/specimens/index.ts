/** Electors of one usual mistake each, by the name that stories know them by. */

import type { CreateElector } from "../../../src/lab/foreign/elector.js";

export const specimens: Readonly<Record<string, CreateElector>> = {};
