// `npm run docs:generate`: writes the generated pages of docs/. Needs a built package.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makePages } from "./docs-pages.mjs";

const folder = fileURLToPath(new URL("../docs", import.meta.url));

for (const [name, text] of await makePages()) writeFileSync(join(folder, name), text);
