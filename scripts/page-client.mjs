// Puts what a browser runs beside the page that is made of it: the compiler leaves plain JavaScript and style alone.
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = (/** @type {string} */ top) =>
  fileURLToPath(new URL(`../${top}/lab/page/client`, import.meta.url));

cpSync(folder("src"), folder("dist"), {
  recursive: true,
  filter: (path) => !path.endsWith("tsconfig.json"),
});
