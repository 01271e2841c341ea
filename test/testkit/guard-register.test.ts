/** The guard that broken guards are made from is itself a correct one. */

import { describe, it } from "vitest";
import { createGuardRegister, registerGuardCapabilities } from "../../src/testkit/guard/broken/register.js";
import { guardContract } from "../../src/testkit/index.js";

guardContract({
  describe,
  it,
  name: "register in memory",
  open: async () => createGuardRegister(),
  capabilities: registerGuardCapabilities,
});
