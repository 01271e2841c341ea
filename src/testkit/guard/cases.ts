/** All guard tests, simplest first: the first red one is the one to look at. */

import type { GuardCase } from "./case.js";
import { claimCases } from "./claims.js";
import { fencingCases } from "./fencing.js";
import { lineageCases } from "./lineage.js";
import { numberCases } from "./numbers.js";
import { replyCases } from "./replies.js";

export const guardCases: readonly GuardCase[] = [
  ...claimCases,
  ...lineageCases,
  ...fencingCases,
  ...numberCases,
  ...replyCases,
];
