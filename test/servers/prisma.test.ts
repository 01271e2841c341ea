/** A Prisma client that no command generated does what one does: statements, and transactions of its own. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMariadb } from "./mariadb.js";
import { startPostgres } from "./postgres.js";
import { createPrismaClient, type PrismaClient } from "./prisma.js";
import type { SqlServer } from "./sql-server.js";
import { describeWithServer } from "./with-server.js";

const starts = { postgres: startPostgres, mariadb: startMariadb };

describe.each(["postgres", "mariadb"] as const)("Prisma on %s", (name) => {
  describeWithServer(name, "without a generated client", () => {
    let server: SqlServer;
    let prisma: PrismaClient;
    beforeAll(async () => {
      server = await starts[name]();
      await server.query("CREATE TABLE words (word VARCHAR(10) NOT NULL)");
      prisma = createPrismaClient(server.url);
    });
    afterAll(async () => {
      await prisma.$disconnect();
      await server.stop();
    });
    const words = async (): Promise<unknown> => server.query("SELECT word FROM words");

    test("a transaction that resolves is there as a whole, one that throws is not there at all", async () => {
      const insert = `INSERT INTO words VALUES (${name === "postgres" ? "$1" : "?"})`;
      const seen = await prisma.$transaction(async (transaction) => {
        expect(await transaction.$executeRawUnsafe(insert, "kept")).toBe(1);
        expect(await words()).toEqual([]);
        return transaction.$queryRawUnsafe("SELECT word FROM words");
      });
      expect(seen).toEqual([{ word: "kept" }]);
      const failing = prisma.$transaction(async (transaction) => {
        await transaction.$executeRawUnsafe(insert, "lost");
        throw new Error("as told");
      });
      await expect(failing).rejects.toThrow("as told");
      expect(await words()).toEqual([{ word: "kept" }]);
    });
  });
});
