/** `tenure/fence/queue`: messages of a leader that a later leader's claim excludes. */

export type {
  RabbitmqChannel,
  RabbitmqConfirmChannel,
  RabbitmqConsumerConnection,
  RabbitmqLeaderConnection,
  RabbitmqMessage,
  RabbitmqPublishing,
} from "./rabbitmq/client.js";
export { type RabbitmqConsumer, rabbitmqConsumer } from "./rabbitmq/consumer.js";
export type { RabbitmqConsumerEnd } from "./rabbitmq/consuming.js";
export type { RabbitmqConsumerOptions, RefusedMessage } from "./rabbitmq/consumer-options.js";
export type { RabbitmqDelivery, RabbitmqHandler } from "./rabbitmq/deciding.js";
export { type RabbitmqHandle, type RabbitmqPublishOptions, rabbitmqGuard } from "./rabbitmq/guard.js";
export type { RabbitmqGuardOptions } from "./rabbitmq/options.js";
