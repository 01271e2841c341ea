/** A store in memory that judges expiry by a clock which a test can bend. */

import type { Clock } from "../../src/base/clock.js";
import type { Store } from "../../src/lease/store.js";
import { createRegister } from "../../src/testkit/broken/register.js";

/** `storeClock`: its wall reading stamps every write. A `VirtualClock` can make it jump and run at another rate. */
export function clockedStore(storeClock: Pick<Clock, "wallMs">): Store {
  return createRegister({ clock: () => storeClock.wallMs() }).store();
}
