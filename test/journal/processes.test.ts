/** Real processes: leaders that are killed while they append, and successors that replay. Needs the build. */

import { it } from "vitest";
import { inDirectory } from "../stores/file/scene.js";
import { expectSuccession } from "./succession.mjs";

it("when leader after leader is killed while it appends to files, each successor replays all that was acknowledged, and at most one more", async () => {
  await inDirectory(async (directory) => expectSuccession("file", directory, 6));
}, 60_000);
