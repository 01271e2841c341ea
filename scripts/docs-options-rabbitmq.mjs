// The sections of docs/options.md about RabbitMQ.

/**
 * @typedef {Pick<typeof import("../src/fence/queue/index.js"), "rabbitmqConsumer" | "rabbitmqGuard">
 *   & Pick<typeof import("../src/fence/memory/index.js"), "memoryGuard">} Built
 */

/** @type {import("../src/fence/queue/index.js").RabbitmqConsumerConnection & import("../src/fence/queue/index.js").RabbitmqLeaderConnection} */
const noRabbit = {
  createChannel: async () => new Promise(() => {}),
  createConfirmChannel: async () => new Promise(() => {}),
};

/**
 * @param {Built} built
 * @returns {readonly import("./docs-options.mjs").Section[]}
 */
export function rabbitmqSections({ memoryGuard, rabbitmqConsumer, rabbitmqGuard }) {
  return [
    {
      title: "`rabbitmqGuard`",
      intro: "From `tenure/fence/queue`; the second argument, after the connection.",
      interfaces: [["src/fence/queue/rabbitmq/options.ts", "RabbitmqGuardOptions"]],
      use: (given) => rabbitmqGuard(noRabbit, { resource: "unused", routingKey: "unused", ...given }),
    },
    {
      title: "`rabbitmqConsumer`",
      intro: "From `tenure/fence/queue`; the third argument, after connection and guard.",
      interfaces: [["src/fence/queue/rabbitmq/consumer-options.ts", "RabbitmqConsumerOptions"]],
      use: async (given) => {
        const guard = memoryGuard({ resource: "unused", initial: null });
        const required = { queue: "unused", onRefused() {} };
        return rabbitmqConsumer(noRabbit, guard, { ...required, ...given }, () => {});
      },
    },
  ];
}
