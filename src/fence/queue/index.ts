/** `tenure/fence/queue`: queues behind a guard. */

export type { JetstreamClient, NatsConnection, NatsHeaders } from "./jetstream/client.js";
export type { CoverOrder } from "./jetstream/cover.js";
export {
  type JetstreamGuard,
  type JetstreamHandle,
  type JetstreamInspection,
  type JetstreamOperator,
  jetstreamGuard,
  type PublishOptions,
} from "./jetstream/guard.js";
export {
  type FencedMessage,
  isMarker,
  type NatsMessage,
  readFencedMessage,
} from "./jetstream/message.js";
export type { JetstreamGuardOptions } from "./jetstream/options.js";
export type { JetstreamFinding } from "./jetstream/stream.js";
