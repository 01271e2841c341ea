import { defineCase } from "./support/case.js";

export const caseB28 = defineCase({
  id: "B28",
  fault: "the record is evicted under memory pressure",
  mustHold: "a lost record ends the term and is never created again in silence",
  notApplicable: "the memory and the file store evict nothing; a record deleted by hand is F37",
});
