import { expectSuccession } from "../test/journal/succession.mjs";
import { postgresSceneFor } from "./support/postgres.js";
import { defineCase } from "./support/case.js";

const leaders = 4;

export const caseF110OnPostgres = defineCase({
  id: "F110-postgres",
  fault: "leader after leader is killed while it appends to a journal and makes checkpoints of it",
  mustHold:
    "each successor replays all that was acknowledged, in place and order, and at most one entry more",
  injected: "kill -9 of four processes, each after so many acknowledged appends, on one server",
  mutants: ["journal-place-not-kept"],
  faultCount: leaders,
  alone: true,
  async run(stage) {
    const scene = await postgresSceneFor(stage);
    await expectSuccession("postgres", `${scene.url}|${scene.schema}`, leaders, () => stage.fault());
  },
});
