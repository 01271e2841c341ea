/** `tenure/fence/queue`: messages of a leader that a later leader's claim excludes. */

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
export type {
  RabbitmqChannel,
  RabbitmqConfirmChannel,
  RabbitmqConsumerConnection,
  RabbitmqLeaderConnection,
  RabbitmqMessage,
  RabbitmqPublishing,
  RabbitmqReturned,
} from "./rabbitmq/client.js";
export { type RabbitmqConsumer, rabbitmqConsumer } from "./rabbitmq/consumer.js";
export type { RabbitmqConsumerEnd } from "./rabbitmq/consuming.js";
export type { RabbitmqConsumerOptions, RabbitmqRefused } from "./rabbitmq/consumer-options.js";
export type { RabbitmqDelivery, RabbitmqHandler } from "./rabbitmq/deciding.js";
export { type RabbitmqHandle, type RabbitmqPublishOptions, rabbitmqGuard } from "./rabbitmq/guard.js";
export type { RabbitmqGuardOptions } from "./rabbitmq/options.js";
