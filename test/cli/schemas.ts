/** The shipped JSON Schema files, compiled. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { root } from "../architecture/files.js";

const folder = join(root, "schemas");
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
// Instants are told from other texts here, without another package for one format.
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const schemaFiles: readonly string[] = readdirSync(folder).toSorted();

for (const file of schemaFiles) ajv.addSchema(JSON.parse(readFileSync(join(folder, file), "utf8")) as object);

/** What is wrong with an object that names its schema; empty when nothing is. */
export function complaintsAbout(value: unknown): readonly string[] {
  const named = typeof value === "object" && value !== null && "schema" in value ? value.schema : undefined;
  if (typeof named !== "string") return ["names no schema"];
  const validate = ajv.getSchema(named);
  if (validate === undefined) return [`no file for ${named}`];
  if (validate(value) === true) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
