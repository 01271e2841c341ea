// Forms of a case: what stands behind its id, "F04-redis", and what that means for the files of cases and of tests.

/**
 * @typedef {object} CaseForm
 * @property {string} exported how the name of its export ends: `caseF04OnRedis`
 * @property {string} [tests] the file that plays it; without one it is played with the cases of virtual time
 */

/** By what stands behind the id. @satisfies {Readonly<Record<string, CaseForm>>} */
export const caseForms = Object.freeze({
  processes: { exported: "OnProcesses", tests: "test/cases/processes.test.ts" },
  command: { exported: "OnCommand", tests: "test/cases/processes.test.ts" },
  lab: { exported: "InLab" },
  redis: { exported: "OnRedis", tests: "test/cases/redis.test.ts" },
  postgres: { exported: "OnPostgres", tests: "test/cases/postgres.test.ts" },
  mysql: { exported: "OnMysql", tests: "test/cases/mysql.test.ts" },
  sqlite: { exported: "OnSqlite", tests: "test/cases/sqlite.test.ts" },
  http: { exported: "OverHttp", tests: "test/cases/http.test.ts" },
  nats: { exported: "OnNats", tests: "test/cases/nats.test.ts" },
  several: { exported: "OnSeveral", tests: "test/cases/several.test.ts" },
  rabbitmq: { exported: "OnRabbitmq", tests: "test/cases/rabbitmq.test.ts" },
});

/**
 * @param {string} id
 * @returns {CaseForm | undefined} undefined for a case in virtual time
 */
export function formOf(id) {
  return Object.entries(caseForms).find(([form]) => id.endsWith(`-${form}`))?.[1];
}
