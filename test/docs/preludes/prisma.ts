/** The part of a generated client that the snippet uses. */
interface PrismaClient {
  $transaction<R>(work: (tx: PrismaTransaction) => Promise<R>): Promise<R>;
}

interface PrismaTransaction {
  $queryRawUnsafe(sql: string, ...values: readonly unknown[]): Promise<unknown>;
  $executeRawUnsafe(sql: string, ...values: readonly unknown[]): Promise<number>;
  $executeRaw(sql: TemplateStringsArray, ...values: readonly unknown[]): Promise<number>;
}
