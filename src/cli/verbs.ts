/** The verbs, in the order in which help shows them. A verb of two words, such as `fence status`, is one row. */

import { config } from "./config.js";
import { demo } from "./demo.js";
import { fenceAdopt } from "./fence/adopt.js";
import { fenceReset } from "./fence/reset.js";
import { fenceSchema } from "./fence/schema.js";
import { fenceStatus } from "./fence/status.js";
import { fenceVerify } from "./fence/verify.js";
import { labReplay } from "./lab/replay.js";
import { labRun } from "./lab/run.js";
import { labMutants } from "./lab/mutants.js";
import { labStory } from "./lab/story.js";
import { resign } from "./resign.js";
import { run } from "./run.js";
import { status } from "./status.js";
import { transfer } from "./transfer.js";
import type { Verb } from "./verb.js";
import { watch } from "./watch.js";

export const verbs: readonly Verb[] = [
  run,
  status,
  watch,
  resign,
  transfer,
  config,
  demo,
  fenceStatus,
  fenceVerify,
  fenceAdopt,
  fenceReset,
  fenceSchema,
  labRun,
  labReplay,
  labStory,
  labMutants,
];
