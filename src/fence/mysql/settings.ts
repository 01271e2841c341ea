/**
 * Settings of the session for the time of one transaction, in one statement each: there is no `SET LOCAL`.
 *
 * What they were is kept in variables of the session. `autocommit` is off meanwhile: where the server rolls a
 * transaction back by itself, as after a deadlock, what a body sends next would otherwise stand by itself, outside of
 * the lock. Comments with `M!` are read by MariaDB alone, those with `!8` by MySQL alone.
 */

interface Setting {
  readonly name: string;
  /** The server's own unit; `limitMs` is no less than 10. */
  readonly value: (limitMs: number) => string;
  readonly only?: "M!100300" | "!80000";
}

const seconds = (limitMs: number): string => String(Math.ceil(limitMs / 1_000));

const settings: readonly Setting[] = [
  { name: "autocommit", value: () => "0" },
  { name: "innodb_lock_wait_timeout", value: seconds },
  // Of tables, which whoever alters one holds.
  { name: "lock_wait_timeout", value: seconds },
  // Of a client that sends nothing, and of one that does not read what it is sent.
  { name: "wait_timeout", value: seconds },
  { name: "net_write_timeout", value: seconds },
  // Where they are set, they go before `wait_timeout`.
  { name: "idle_transaction_timeout", value: seconds, only: "M!100300" },
  { name: "idle_write_transaction_timeout", value: seconds, only: "M!100300" },
  { name: "idle_readonly_transaction_timeout", value: seconds, only: "M!100300" },
  { name: "max_statement_time", value: (limitMs) => String(limitMs / 1_000), only: "M!100300" },
  // Of SELECT alone.
  { name: "max_execution_time", value: String, only: "!80000" },
];

export function setting(limitMs: number): string {
  const kept = assignments(({ name }) => `@tenure_${name} = @@SESSION.${name}`);
  const set = assignments(({ name, value }) => `SESSION ${name} = ${value(limitMs)}`);
  return `SET ${kept}, ${set}`;
}

/** Commits what is open, so nothing may be. */
export const restoring: string = `SET ${assignments(({ name }) => `SESSION ${name} = @tenure_${name}`)}`;

function assignments(assign: (setting: Setting) => string): string {
  return settings
    .map((one) => ({ only: one.only, text: assign(one) }))
    .map(({ only, text }, index) => {
      const listed = index === 0 ? text : `, ${text}`;
      return only === undefined ? listed : `/*${only} ${listed} */`;
    })
    .join("");
}
