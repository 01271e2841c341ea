import { caseF90 } from "./F90.js";
import { defineCase } from "./support/case.js";
import { inRabbitmq } from "./support/keeping-rabbitmq.js";

export const caseF90OnRabbitmq = defineCase({
  ...caseF90,
  id: "F90-rabbitmq",
  injected: `${caseF90.injected}; the ledger is behind a queue of RabbitMQ`,
  mutants: ["06-floor-ignored", "rabbitmq-term-untold"],
  keeping: inRabbitmq,
});
