/** An `sql` of postgres.js whose queries are rejected once there is a reason to. */

/** A query runs when it is awaited, through its handler. */
interface Query {
  handler: (query: Query) => void;
  reject(error: Error): void;
}

type Callable = (...parts: never[]) => unknown;

/** `closed` is asked when a query is about to be sent, which may be long after it was made. */
export function gated<T extends Callable>(sql: T, closed: () => Error | undefined): T {
  const gate = (made: unknown): unknown => {
    if (!isQuery(made)) return made;
    const { handler } = made;
    const stopped = (query: Query) => {
      const reason = closed();
      if (reason === undefined) handler(query);
      else query.reject(reason);
    };
    // It carries settings of the instance.
    made.handler = Object.assign(stopped, handler);
    return made;
  };
  return new Proxy(sql, {
    apply: (target, self, parts) => gate(Reflect.apply(target, self, parts as never[])),
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== "function") return value;
      if (name === "unsafe" || name === "file") {
        return (...parts: readonly unknown[]) => gate(Reflect.apply(value, target, parts));
      }
      if (name !== "savepoint") return value;
      return (...parts: readonly unknown[]): unknown => Reflect.apply(value, target, parts.map(gatedBody));
    },
  });

  /** A savepoint's body is given an `sql` of its own. */
  function gatedBody(part: unknown): unknown {
    return typeof part === "function"
      ? (inner: T) => (part as Callable)(gated(inner, closed) as never)
      : part;
  }
}

function isQuery(made: unknown): made is Query {
  return typeof made === "object" && made !== null && "handler" in made && typeof made.handler === "function";
}
