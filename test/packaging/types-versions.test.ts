import { expect, test } from "vitest";
import { oldResolution } from "../../scripts/types-versions.mjs";
import { manifest } from "../architecture/manifest.js";

test("main, types and typesVersions are what `npm run types-versions` makes of exports", () => {
  const { main, types, typesVersions } = manifest;
  expect({ main, types, typesVersions }).toEqual(oldResolution(manifest.exports as never));
});
