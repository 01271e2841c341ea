/** Contexts of Hono, by what is asked of them. */

import type { HttpFailure } from "./decide.js";
import type { HttpAnswer } from "./reply.js";
import { verdictHeader } from "./verdict.js";

export interface HonoContext {
  readonly req: {
    readonly method: string;
    header(name: string): string | undefined;
    text(): Promise<string>;
  };
  header(name: string, value: string): unknown;
}

/** Throws the error of a failure, for Hono's own means. */
export function honoResponse(context: HonoContext, found: HttpAnswer | HttpFailure): Response {
  if (found.kind === "failure") {
    context.header(verdictHeader, found.verdict);
    throw found.error;
  }
  const { status, headers, body } = found;
  return new Response(body ?? null, { status, headers });
}
