/** What the transactions of databases do: the least that one can, and what a small piece of business does. Writers have rows of their own. */

export const schema = [
  "CREATE TABLE account (id integer PRIMARY KEY, balance bigint NOT NULL)",
  "CREATE TABLE entry (account integer NOT NULL, amount integer NOT NULL)",
];

export const accounts = Array.from({ length: 64 }, (_, id) => id);

export const insertAccount = "INSERT INTO account (id, balance) VALUES (?, 0)";

/** Each in order, with the values of one writer. */
export const bodies = {
  "one statement": [{ text: "UPDATE account SET balance = balance + 1 WHERE id = ?", values: one }],
  "three statements": [
    { text: "SELECT balance FROM account WHERE id = ?", values: one },
    { text: "UPDATE account SET balance = balance + 1 WHERE id = ?", values: one },
    { text: "INSERT INTO entry (account, amount) VALUES (?, ?)", values: two },
  ],
};

/** @param {number} writer */
function one(writer) {
  return [writer];
}

/** @param {number} writer */
function two(writer) {
  return [writer, 1];
}
