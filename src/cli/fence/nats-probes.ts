/**
 * Where the probes of a stream go: to a stream of their own with the configuration of the one that is named, since messages
 * stay where they were published, and somebody consumes them. That is made and removed here. Or to a subject of
 * the stream itself, where the user names one: that shows this very stream, with the rights of who leads, and they stay.
 */

import { optionError } from "../../base/options.js";
import { freshId } from "../../base/random.js";
import { verifyNamespace } from "../../fence/operator.js";
import { type JetstreamClient, type JetstreamHandle, jetstreamGuard } from "../../fence/queue/index.js";
import { Broker } from "../../fence/queue/jetstream/broker.js";
import { resolveJetstreamOptions } from "../../fence/queue/jetstream/options.js";
import { checkTaken } from "../../fence/queue/jetstream/overview.js";
import { judgeStream } from "../../fence/queue/jetstream/stream.js";
import type { ProbedGuard, ProbeWrite } from "../../fence/verify/stand.js";

interface Site {
  readonly stream: string;
  readonly subject: string | undefined;
  readonly timeoutMs: number;
}

export interface StreamProbes {
  guard(resource: string): ProbedGuard<Publishing>;
  /** Removes what was made for the probes. */
  clear(): Promise<void>;
}

/** Handles as probes write through them. */
interface Publishing {
  transaction(body: () => string | Promise<string>, options: ProbeWrite["options"]): Promise<unknown>;
}

type Config = Readonly<Record<string, unknown>>;

export function probesOfStream(client: JetstreamClient, { stream, subject, timeoutMs }: Site): StreamProbes {
  const own = `${verifyNamespace}-${freshId().slice(0, 8)}`;
  const place = subject === undefined ? { stream: own, subject: own } : { stream, subject };
  const brokerOf = (options: { readonly stream: string; readonly subject: string }) =>
    new Broker(client, resolveJetstreamOptions({ ...options, resource: options.stream }), () => timeoutMs);
  let making: Promise<void> | undefined;
  let isMade = false;
  const make = async () => {
    const named = { stream, subject: place.subject };
    const info = await brokerOf(named).streamInfo();
    // What it is not suited for is not copied.
    judgeStream(info, resolveJetstreamOptions({ ...named, resource: stream }));
    if (subject !== undefined) return checkTaken(stream, info, subject);
    await brokerOf(place).api("CREATE", configLike(info["config"] as Config, own));
    isMade = true;
  };
  return {
    guard(resource) {
      const guard = jetstreamGuard(client, { ...place, resource, order: "any", timeoutMs });
      const check = async () => {
        await make();
        const { rows } = await guard.inspect();
        const others = rows.find(({ namespace }) => namespace !== verifyNamespace);
        if (others !== undefined)
          throw optionError("subject", place.subject, "one that no leader has claimed");
      };
      const published = new Map<number, string>();
      return {
        kind: guard.kind,
        resource,
        inspect: async () => guard.inspect(),
        operator: guard.operator,
        async claim(...claim) {
          await (making ??= check());
          return writerOf(await guard.claim(...claim), published);
        },
      };
    },
    async clear() {
      if (isMade) await brokerOf(place).api("DELETE", {});
    },
  };
}

/** `published`: what was the result of whom, by its sequence in the stream. */
function writerOf(handle: JetstreamHandle, published: Map<number, string>): Publishing {
  return {
    async transaction(body, options) {
      let result = "";
      const payload = async () => (result = await body());
      const { sequence } = await handle.publish(payload, options);
      if (!published.has(sequence)) published.set(sequence, result);
      return published.get(sequence);
    },
  };
}

/** What of a stream decides what it refuses and keeps. Bytes are none of that, and a server sets them aside twice. */
const copied: readonly string[] = [
  ...["retention", "storage", "num_replicas", "discard", "discard_new_per_subject", "duplicate_window"],
  ...["max_msgs", "max_msgs_per_subject", "max_age", "max_msg_size", "placement", "compression"],
];

function configLike(config: Config, name: string): Config {
  const kept = copied.filter((key) => key in config).map((key) => [key, config[key]] as const);
  return { ...Object.fromEntries(kept), name, subjects: [name] };
}
