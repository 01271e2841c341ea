import { createStore } from "../../examples/lab/store.mjs";
import { broken, correct } from "./broken/broken-stores.mjs";
import { brokenParts, rightParts } from "./parts-suite.js";

const stories = {
  "writes without comparing": /createStore: .* of two writes over one version only one/,
  "compares, waits, and writes": /createStore: .* of two writes over one version only one/,
  "answers before it has written": /createStore: /,
  "versions repeat": /a version names one write for ever/,
  "shows what was there before": /nobody is shown what was gone/,
  "loses a write that it has acknowledged": /createStore: /,
  "says written for a conflict": /a version names one write for ever/,
  "drops a field": /shows a record that is not as it was written/,
  "says absent for what is there": /was shown no record/,
  "takes over by its clock whatever that says": /left to the store's clock/,
  "shows records older than they are": /is shown as .* ms old/,
  "answers null": /read\(\) answered null/,
  "reads from a copy that hints refresh": /nobody is shown what was gone/,
  "never writes": /0 lead after the last fault.*the store rejected .* the disk is read-only/,
};

rightParts("createStore", correct, 25);
rightParts("createStore", { "the template": createStore }, 200);
brokenParts("createStore", broken, stories);
