/** All lease-level tests: the real election over the driver. */

import type { ContractCase } from "../case.js";
import { counterCases } from "./counter.js";
import { lossCases } from "./losses.js";
import { replyCases } from "./replies.js";

export const leaseCases: readonly ContractCase[] = [...replyCases, ...lossCases, ...counterCases];
