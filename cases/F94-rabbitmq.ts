import { caseF94 } from "./F94.js";
import { defineCase } from "./support/case.js";
import { inRabbitmq } from "./support/keeping-rabbitmq.js";

export const caseF94OnRabbitmq = defineCase({
  ...caseF94,
  id: "F94-rabbitmq",
  injected: `${caseF94.injected}; the ledger is behind a queue of RabbitMQ`,
  mutants: ["audit-unclaimed-unseen"],
  keeping: inRabbitmq,
});
