/**
 * The tables, as MySQL and MariaDB are told to make them.
 *
 * What is compared is compared by its bytes: usual collations fold case, and all of them
 * ignore spaces at the end of text.
 */

import type { Tables } from "../sql/tables.js";

const key = "VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL";
const engine = "ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";

export function schema({ fence, attempt, operation, act }: Tables): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${fence} (
  id ${key} PRIMARY KEY,
  resource VARBINARY(2048) NOT NULL,
  namespace TEXT NOT NULL,
  election TEXT NOT NULL,
  v SMALLINT NOT NULL,
  generation VARCHAR(64) NOT NULL,
  lineage TEXT NOT NULL,
  watermark BIGINT NOT NULL,
  owner TEXT NOT NULL
) ${engine}`,
    `CREATE TABLE IF NOT EXISTS ${attempt} (
  fence ${key},
  slot SMALLINT NOT NULL,
  seq BIGINT NOT NULL,
  op VARBINARY(128),
  returned SMALLINT NOT NULL,
  result VARBINARY(4096),
  holder BIGINT UNSIGNED,
  held_since DATETIME(3),
  PRIMARY KEY (fence, slot),
  UNIQUE (fence, op)
) ${engine}`,
    `CREATE TABLE IF NOT EXISTS ${operation} (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  resource ${key},
  op VARBINARY(128) NOT NULL,
  returned SMALLINT NOT NULL,
  result VARBINARY(4096),
  UNIQUE (resource, op)
) ${engine}`,
    `CREATE TABLE IF NOT EXISTS ${act} (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  done BIGINT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  resource VARBINARY(2048) NOT NULL,
  namespace TEXT NOT NULL,
  election TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  earlier TEXT NOT NULL,
  later TEXT
) ${engine}`,
  ];
}
