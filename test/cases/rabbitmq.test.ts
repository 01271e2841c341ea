/** The cases on a real RabbitMQ: in real time, one after the other, on one broker, which takes seconds to start. */

import { afterAll, beforeAll, it } from "vitest";
import { rabbitmq } from "../../cases/support/rabbitmq.js";
import { describeWithServer } from "../servers/with-server.js";
import { loadCases } from "./load.js";
import { play } from "./play.js";

const cases = await loadCases((id) => id.endsWith("-rabbitmq"));
const startLimitMs = 120_000;

describeWithServer("rabbitmq", "on a real RabbitMQ", () => {
  beforeAll(async () => void (await rabbitmq.start()), startLimitMs);
  afterAll(async () => rabbitmq.stop());

  for (const one of cases) {
    if (!("run" in one)) continue;
    it(`${one.id}: ${one.fault} → ${one.mustHold}`, { timeout: startLimitMs }, async ({ task }) => {
      task.meta.faultCount = await play(one);
    });
  }
});
