// A guard for `tenure lab run --guard guard.mjs`: a template, around the memory guard of this package.
//
// The lab calls `createGuard` once a run and puts what it makes at the far end of its network. Leaders claim it and write
// to it from there; calls come late, come twice, and come from leaders whose term is long over.
import { memoryGuard } from "tenure/fence/memory";

/** @type {import("tenure/lab").CreateGuard} */
export function createGuard({ clock, random, resource, initial }) {
  void [clock, random];
  const inner = memoryGuard({ resource, initial });
  return {
    kind: "template",
    resource,
    // Raises the watermark to the token of `claimant.fence`, durably, and then answers a handle. A lower token is refused
    // with STALE, the same token of another owner with CONFLICT; the same claim once more is granted.
    async claim(claimant, options) {
      const handle = await inner.claim(claimant, options);
      return {
        resource,
        fence: handle.fence,
        // What the resource holds now.
        read: () => handle.read(),
        // Calls `body` with what the resource holds, and puts what `body` leaves in `value`: one atomic step with the
        // check that nobody has claimed above this fence. `body` may take its time. `opId` names the write: the same one
        // once more, within the last 64 of its term, is answered and not repeated.
        transaction: (body, writeOptions) => handle.transaction(body, writeOptions),
      };
    },
  };
}
