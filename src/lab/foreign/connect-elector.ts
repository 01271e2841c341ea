/** How a process with a foreign elector reaches the store and the ledger of its world. */

import { Channel } from "../world/channel.js";
import { guardOf } from "../world/connect.js";
import type { ElectorConnection, ElectorProcess } from "../world/elector-process.js";
import { ElectorWire } from "../world/elector-wire.js";
import type { World } from "../world/world.js";
import type { HostedStore } from "./hosted-store.js";

export function connectElector(
  world: World,
  process: ElectorProcess,
  hosted: HostedStore,
): ElectorConnection {
  const open = (server: "store" | "ledger") =>
    new Channel(world.network, world.network.link(process, server), () => {});
  const lookSoon = () => world.timers.after(0, () => world.lookAtBelievers());
  const road = {
    party: process.name,
    clock: process.clock,
    hosted,
    hint(wake: () => void) {
      if (!world.settings.hints || (world.faulty && world.dice.happens(0.1))) return;
      world.timers.after(world.dice.between(0.01, 3), () => process.whenAwake(wake));
    },
    // Whoever leads is asked right before it may lose to this write, and right after.
    wrote() {
      world.lookAtBelievers();
      lookSoon();
    },
    told: lookSoon,
    unreadable: (record: unknown) =>
      world.breaks(
        `createElector: ${process.name} writes what is no lease record: ${JSON.stringify(record)}`,
      ),
  };
  return { wire: new ElectorWire(road, open("store")), guard: guardOf(world, open("ledger"), process.clock) };
}
