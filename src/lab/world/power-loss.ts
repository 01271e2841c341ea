/**
 * The machine of the file store loses power: all of its processes are gone at once, and what its disk had not synced is
 * decided. When it starts again, so do they.
 */

import type { HostedGuard } from "../foreign/hosted-guard.js";
import { seconds } from "../words.js";
import { visitorSlot } from "./cast.js";
import type { Answered, FileHost, Left } from "./file-host.js";
import type { World } from "./world.js";

export function losePower(world: World, host: FileHost, forMs: number): void {
  if (host.off) return;
  world.say("fault", "store", `its machine loses power for ${seconds(forMs)}`);
  for (const process of [...world.cast.living, ...world.cast.livingElectors]) world.cast.kill(process);
  host.losePower();
  const guard = world.installed?.guard;
  const point = guard?.record.point();
  host.left(answeredBy(guard)).then(
    (left) => {
      forget(world, left);
      world.installed?.losses.push({ kind: "loss", at: world.nowMs, left: left.version });
      if (point !== undefined) guard?.record.losses.push({ point, left: left.stamp });
    },
    (cause: unknown) => world.breaks(`the disk cannot be read after a power loss: ${String(cause)}`),
  );
  world.timers.after(forMs, () => {
    host.restart();
    const { settings, cast, dice } = world;
    for (const slot of [...settings.slots, ...(settings.visitor ? [visitorSlot] : [])]) {
      // Candidates spread by their ids, and those of real processes are not neighbours.
      for (let count = dice.below(300); count > 0; count -= 1) world.freshId();
      if (cast.actor(slot) === undefined) cast.start(slot);
    }
  });
}

/** What was shown to somebody who is gone may be gone as well, but for what somebody took for written. */
function forget(world: World, { nonce }: Left): void {
  const { account } = world.register;
  const left = account.chain.findLast(({ record }) => record.nonce === nonce);
  // What nobody has seen yet is newer than all that was seen.
  if (left === account.current || (left === undefined && nonce !== undefined)) return;
  account.lose({ kind: "rollback", left, kept: left, epochChanged: false, calm: false });
  const [known] = account.losses.at(-1)?.lost.filter(({ acknowledged }) => acknowledged) ?? [];
  if (known !== undefined)
    world.breaks(`the disk lost the write ${known.record.nonce}, which ${known.by} took for written`);
}

function answeredBy(guard: HostedGuard | undefined): Answered {
  const { claims = [], bodies = [] } = guard?.record ?? {};
  const granted = claims.flatMap(({ settled, fence }) => (settled === "done" ? [fence.token] : []));
  const made = bodies.flatMap(({ settled, last, saw }) =>
    settled === "done" && last ? [saw.count + 1] : [],
  );
  return { watermark: Math.max(0, ...granted), count: Math.max(0, ...made) };
}
