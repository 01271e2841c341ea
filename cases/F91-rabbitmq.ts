import { caseF91 } from "./F91.js";
import { defineCase } from "./support/case.js";
import { inRabbitmq } from "./support/keeping-rabbitmq.js";

export const caseF91OnRabbitmq = defineCase({
  ...caseF91,
  id: "F91-rabbitmq",
  injected: `${caseF91.injected}; the ledger is behind a queue of RabbitMQ`,
  mutants: ["G4-old-term-raises", "G1-lower-accepted"],
  keeping: inRabbitmq,
});
