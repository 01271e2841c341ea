import { createGuard } from "../../examples/lab/guard.mjs";
import { broken, correct } from "./broken/broken-guards.mjs";
import { brokenParts, rightParts } from "./parts-suite.js";

const stories = {
  "accepts a lower token": /createGuard: I3/,
  "raises no watermark": /createGuard: I[34]/,
  "raises the watermark after it has answered": /createGuard: I3/,
  "checks, lets the body run, and writes": /createGuard: (I3|I9|lost update)/,
  "writes whatever came in between": /createGuard: (I3|I9|lost update)/,
  "applies a write twice": /createGuard: I9/,
  "forgets its watermark after 30 s": /createGuard: I[34]/,
  "checks claims only": /createGuard: I3/,
  "drops a write that it has acknowledged": /createGuard: lost update/,
  "refuses its owner": /was refused with STALE .* nobody had claimed above it/,
  "never writes": /no write was applied .* the disk is read-only/,
  "accepts an equal token of another": /createGuard: I4/,
  "keeps 32 bits of a token": /was refused with STALE .* nobody had claimed above it/,
};

rightParts("createGuard", correct, 25);
rightParts("createGuard", { "the template": createGuard }, 200);
brokenParts("createGuard", broken, stories);
