/** A leader in a process of its own that stands still in the middle of a write. Needs the build. */

import { fileURLToPath } from "node:url";
import { standing as standingIn, type Standing } from "../sql/standing.js";
import type { ClientName, Scene } from "./scene.js";

const script = fileURLToPath(new URL("child.mjs", import.meta.url));

export async function standing(
  scene: Scene,
  client: ClientName,
  token: number,
  remainingMs: number,
): Promise<Standing> {
  return standingIn(script, [client, scene.url, scene.schema, String(token), String(remainingMs)]);
}
