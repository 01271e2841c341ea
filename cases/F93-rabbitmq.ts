import { caseF93 } from "./F93.js";
import { defineCase } from "./support/case.js";
import { inRabbitmq } from "./support/keeping-rabbitmq.js";

export const caseF93OnRabbitmq = defineCase({
  ...caseF93,
  id: "F93-rabbitmq",
  injected: `${caseF93.injected}; the resources are behind queues of RabbitMQ`,
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  keeping: inRabbitmq,
});
