/** The register that broken drivers are made from is itself a correct driver. */

import { describe, it } from "vitest";
import { createRegister, registerCapabilities } from "../../src/testkit/broken/register.js";
import { storeContract } from "../../src/testkit/index.js";

storeContract({
  describe,
  it,
  name: "register in memory",
  open: async () => createRegister(),
  capabilities: registerCapabilities,
});
