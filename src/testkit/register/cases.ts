/** All register-level tests, simplest first: the first red one is the one to look at. */

import type { ContractCase } from "../case.js";
import { expiryCases } from "./expiry.js";
import { formatCases } from "./formats.js";
import { lifetimeCases } from "./lifetime.js";
import { memoryCases } from "./memory.js";
import { nameCases } from "./names.js";
import { outcomeCases } from "./outcomes.js";
import { recordCases } from "./records.js";
import { versionCases } from "./versions.js";
import { visibilityCases } from "./visibility.js";
import { watchCases } from "./watching.js";

export const registerCases: readonly ContractCase[] = [
  ...outcomeCases,
  ...recordCases,
  ...visibilityCases,
  ...versionCases,
  ...memoryCases,
  ...expiryCases,
  ...nameCases,
  ...formatCases,
  ...lifetimeCases,
  ...watchCases,
];
