import { caseF92 } from "./F92.js";
import { defineCase } from "./support/case.js";
import { inRabbitmq } from "./support/keeping-rabbitmq.js";

export const caseF92OnRabbitmq = defineCase({
  ...caseF92,
  id: "F92-rabbitmq",
  injected: `${caseF92.injected}; the ledger is behind a queue of RabbitMQ`,
  mutants: ["G6-token-unbounded", "G6-token-by-the-clock"],
  keeping: inRabbitmq,
});
