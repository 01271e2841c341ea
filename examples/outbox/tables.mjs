// The tables on both sides, in two schemas of one database: as good as two databases, since no transaction touches both.

/** What the application writes, the message with the purchase in one transaction; and what the relay marks. */
export const shop = `
CREATE SCHEMA shop;
CREATE TABLE shop.purchase (customer text NOT NULL, n integer NOT NULL, PRIMARY KEY (customer, n));
CREATE TABLE shop.message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer text NOT NULL,
  body text NOT NULL,
  sent_at timestamptz
);
CREATE INDEX ON shop.message (id) WHERE sent_at IS NULL;
`;

/** What the consumer makes of messages. No key keeps a second effect out: that is what the guard is for. */
export const shipping = `
CREATE SCHEMA shipping;
CREATE TABLE shipping.parcel (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message bigint NOT NULL,
  customer text NOT NULL,
  n integer NOT NULL
);
CREATE TABLE shipping.refused (reason text NOT NULL, message text NOT NULL);
`;

/**
 * The tables of a guard in one of the schemas.
 *
 * @param {"shop" | "shipping"} schema
 */
export function guardTables(schema) {
  const name = (/** @type {string} */ table) => `${schema}.tenure_${table}`;
  return { fence: name("fence"), attempt: name("attempt"), operation: name("operation"), act: name("act") };
}
