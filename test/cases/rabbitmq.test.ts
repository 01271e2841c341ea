/** The cases on a real RabbitMQ: in real time, one after the other, on one broker, which takes seconds to start. */

import { afterAll, beforeAll } from "vitest";
import { rabbitmq } from "../../cases/support/rabbitmq.js";
import { describeWithServer } from "../servers/with-server.js";
import { casesOf, declareCases } from "./declare.js";

const cases = await casesOf("rabbitmq");
const startLimitMs = 120_000;

describeWithServer("rabbitmq", "on a real RabbitMQ", () => {
  beforeAll(async () => void (await rabbitmq.start()), startLimitMs);
  afterAll(async () => rabbitmq.stop());
  declareCases(cases);
});
