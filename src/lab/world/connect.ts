/** How a process reaches the store and the ledger of its world. */

import type { Clock } from "../../base/clock.js";
import type { Guard } from "../../fence/guard.js";
import { createValueGuard, type ValueHandle } from "../../fence/value-guard.js";
import type { Stored, Written } from "../../lease/store.js";
import { remoteGuard } from "../foreign/remote-guard.js";
import { Channel } from "./channel.js";
import { type Count, ledgerCell, noCount, unguardedLedger } from "./ledger.js";
import { rememberedCount } from "./errands.js";
import type { ServerName } from "./network.js";
import { outline } from "./outline.js";
import type { Connection, Process } from "./process.js";
import { Wire } from "./wire.js";
import type { World } from "./world.js";

interface Channels {
  readonly store: Channel;
  readonly ledger: Channel;
}

/** A twin's channels follow those of its original. */
const channelsOf = new WeakMap<Process, Channels>();

export function connect(world: World, process: Process, original: Process | undefined): Connection {
  const channels = openChannels(world, process, original && channelsOf.get(original));
  channelsOf.set(process, channels);
  return {
    wire: new Wire(storeRoad(world, process), channels.store),
    guard: guardOf(world, channels.ledger, process.clock),
    errands: world.errands && errandsOf(world.errands, channels.ledger, process),
    part() {
      channels.store.part();
      channels.ledger.part();
    },
  };
}

function errandsOf(
  { strict, ledgers }: NonNullable<World["errands"]>,
  channel: Channel,
  { clock }: Process,
): NonNullable<Connection["errands"]> {
  const guard = (resource: keyof typeof ledgers) =>
    createValueGuard<Count>(
      "lab",
      ledgerCell(ledgers[resource], channel, clock),
      {
        resource,
        numbering: resource,
        order: strict ? "strict" : "any",
        rememberOperations: rememberedCount,
      },
      JSON.stringify(noCount),
    );
  return { strict, guards: [guard("errands-1"), guard("errands-2")] };
}

/** What stands between work and the resource: our guard, a foreign one, or nothing. */
export function guardOf(world: World, channel: Channel, clock: Clock): Guard<ValueHandle<Count>> {
  const hosted = world.installed?.guard;
  if (hosted !== undefined) return remoteGuard(hosted, channel, clock);
  if (!world.settings.fenced) return unguardedLedger(world.ledger, channel, clock);
  const cell = ledgerCell(world.ledger, channel, clock);
  const options = { resource: "ledger", numbering: "ledger", order: "any", rememberOperations: 0 } as const;
  return createValueGuard<Count>("lab", cell, options, JSON.stringify(noCount));
}

function openChannels(world: World, process: Process, leader: Channels | undefined): Channels {
  const diverged = (call: number) =>
    world.breaks(`the twin ${process.name} does not follow its original at call ${call}`);
  const open = (server: ServerName) =>
    new Channel(world.network, world.network.link(process, server), diverged, leader?.[server]);
  return { store: open("store"), ledger: open("ledger") };
}

function storeRoad(world: World, process: Process): ConstructorParameters<typeof Wire>[0] {
  const { register, law, timing, conduct } = world;
  const by = { id: process.name, openedEpoch: process.facts.openedEpoch };
  return {
    get nowMs() {
      return world.nowMs;
    },
    calls: world.calls,
    name: process.name,
    capabilities: register.capabilities,
    maxTtlMs: register.maxTtlMs,
    read: () => register.masterOf(process.slot).read(by.id),
    by,
    write: (order) => register.masterOf(process.slot).write(order),
    isLate: (call, sentAt) => {
      // The signal is made when it is asked for, which costs more than all else here.
      const maybe =
        process.stopping ||
        process.jumpedAt >= sentAt ||
        (world.nowMs - sentAt) * process.rate >= call.timeoutMs - 1;
      return maybe && call.signal.aborted;
    },
    sent(record, expected, manner) {
      const { absence } = manner;
      if (world.recording && !process.muted)
        world.say("call", process.name, `sends ${outline(record)} on ${expected ?? absence}`);
      law.sent(process, record, expected, absence);
      timing.sent(process, record, expected, manner);
      conduct.sent(process, record, expected);
      if (!process.muted) world.director.onSent?.(process, record);
    },
    delivered(answer, written, sentAt, late) {
      timing.received(process, answer, written, sentAt, late);
      conduct.received(process, answer, written, sentAt, late);
      if (world.recording && written !== undefined)
        world.say(
          "call",
          process.name,
          `is told of #${written.seq}: ${told(answer)}${late ? ", too late" : ""}`,
        );
      law.delivered(process, answer, written, sentAt, late);
    },
  };
}

function told(answer: Stored | Written | undefined): string {
  if (answer === undefined || !("kind" in answer)) return "read";
  if (answer.kind !== "conflict") return answer.kind;
  const body = answer.current?.body;
  return `conflict with ${typeof body === "object" ? outline(body) : (body ?? "nothing")}`;
}
