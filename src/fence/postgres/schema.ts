/** The tables, as PostgreSQL is told to make them. */

import type { Tables } from "../sql/tables.js";

export function schema({ fence, attempt, operation, act }: Tables): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${fence} (
  id text COLLATE "C" PRIMARY KEY,
  resource text NOT NULL,
  namespace text NOT NULL,
  election text NOT NULL,
  v smallint NOT NULL,
  generation text NOT NULL,
  lineage text NOT NULL,
  watermark bigint NOT NULL,
  owner text NOT NULL
)`,
    `CREATE TABLE IF NOT EXISTS ${attempt} (
  fence text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  seq bigint NOT NULL,
  op text COLLATE "C",
  given text COLLATE "C",
  returned smallint NOT NULL,
  result text,
  PRIMARY KEY (fence, slot),
  UNIQUE (fence, given)
) WITH (fillfactor = 40)`,
    `CREATE TABLE IF NOT EXISTS ${operation} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  resource text COLLATE "C" NOT NULL,
  op text COLLATE "C" NOT NULL,
  returned smallint NOT NULL,
  result text,
  UNIQUE (resource, op)
)`,
    `CREATE TABLE IF NOT EXISTS ${act} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  done bigint NOT NULL,
  kind text NOT NULL,
  resource text NOT NULL,
  namespace text NOT NULL,
  election text NOT NULL,
  actor text NOT NULL,
  reason text NOT NULL,
  earlier text NOT NULL,
  later text
)`,
  ];
}
