/**
 * A Prisma client without a model, for statements of our own inside its transactions.
 *
 * `prisma generate` would write this file, but its command downloads an engine and needs more packages than all else
 * here together. The client itself needs neither: it plans queries in WebAssembly and sends them by a driver of
 * Node.js. What stands here is what the command of the same version writes for a schema without a model.
 */
import { createRequire } from "node:module";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { PrismaPg } from "@prisma/adapter-pg";
import { getPrismaClient } from "@prisma/client/runtime/client";

type CompilerRuntime = Awaited<
  ReturnType<NonNullable<Parameters<typeof getPrismaClient>[0]["compilerWasm"]>["getRuntime"]>
>;

/** The types of Node.js 20 have none of it. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** The part of a client, or of a transaction of it, that takes SQL. */
export interface PrismaSql {
  $executeRawUnsafe(sql: string, ...values: readonly unknown[]): Promise<number>;
  $queryRawUnsafe<Rows>(sql: string, ...values: readonly unknown[]): Promise<Rows>;
}

export interface PrismaClient extends PrismaSql {
  $transaction<Result>(
    work: (transaction: PrismaSql) => Promise<Result>,
    options?: { readonly maxWait?: number; readonly timeout?: number },
  ): Promise<Result>;
  $disconnect(): Promise<void>;
}

/** For the address of a PostgreSQL, or of a MariaDB, to which a client has one connection. */
export function createPrismaClient(url: string): PrismaClient {
  const isMysql = url.startsWith("mysql:");
  const provider = isMysql ? "mysql" : "postgresql";
  const adapter = isMysql ? mariadbAdapter(new URL(url)) : new PrismaPg({ connectionString: url });
  const Client = getPrismaClient({
    previewFeatures: [],
    clientVersion: "7.10.0",
    engineVersion: "0edf323efd1d98336f3f0a68684b56f689b900d3",
    activeProvider: provider,
    inlineSchema: `datasource db {\n  provider = "${provider}"\n}\n`,
    runtimeDataModel: { models: {}, enums: {}, types: {} },
    parameterizationSchema: { strings: [], graph: "AAAA" },
    compilerWasm: {
      getRuntime: async () => compiler(provider, "js") as CompilerRuntime,
      getQueryCompilerWasmModule: async () => {
        const { wasm } = compiler(provider, "wasm-base64.js") as { readonly wasm: string };
        return new WebAssembly.Module(Buffer.from(wasm, "base64"));
      },
      importName: "./query_compiler_fast_bg.js",
    },
  });
  return new Client({ adapter }) as PrismaClient;
}

/** One connection: of more, this driver makes some ahead, and one that fails after the end is a failure of nobody. */
function mariadbAdapter({ hostname, port, username, pathname }: URL): PrismaMariaDb {
  return new PrismaMariaDb({
    ...{ host: hostname, port: Number(port), user: username, database: pathname.slice(1) },
    connectionLimit: 1,
  });
}

/** A file of the query compiler, which comes without types. */
function compiler(provider: string, kind: string): unknown {
  return createRequire(import.meta.url)(`@prisma/client/runtime/query_compiler_fast_bg.${provider}.${kind}`);
}
