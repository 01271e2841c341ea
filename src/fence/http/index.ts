/** `tenure/fence/http`: a service that a later leader's claim excludes others from, and what such a service is made of. */

export type { HttpFacts, HttpFailure, HttpHandler, HttpReceived } from "./decide.js";
export type { FastifyReply, FastifyRequest } from "./fastify.js";
export { type HttpHandle, type HttpRequestInit, httpGuard } from "./guard.js";
export { type HttpFilter, httpFilter, type HttpPass } from "./filter.js";
export type { HonoContext } from "./hono.js";
export type { NodeRequest, NodeResponse, NodeStream } from "./node.js";
export type { HttpGuardOptions } from "./options.js";
export type { HttpAnswer, HttpReply } from "./reply.js";
export type { HttpService, NodeListenerOptions } from "./routes.js";
export { type HttpServiceOptions, httpService } from "./service.js";
export { type HttpVerification, httpVerification } from "./verification.js";
