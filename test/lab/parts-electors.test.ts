import { createElector } from "../../examples/lab/elector.mjs";
import { broken, correct } from "./broken/broken-electors.mjs";
import { brokenParts, rightParts } from "./parts-suite.js";

const stories = {
  "deadline from the reply": /I1|I2/,
  "no deadline, as a boolean has": /I1|I2/,
  "deadline by the wall clock": /I1|I2/,
  "sleep does not count": /I1|I2/,
  "believes for the whole ttl": /I2/,
  "believes for nine tenths of the ttl": /I2/,
  "waits for half of the ttl": /I2/,
  "counts the wait from the send of a look": /I2/,
  "takes over whatever version stands": /I1|I2/,
  "tokens do not rise": /I1/,
  "renews after its deadline, over any record": /I1|I2/,
  "leaves a timer behind": /has 1 timers left/,
  "passes after stop": /passes after stop\(\) has settled/,
  "never settles stop": /stop\(\) of .* has not settled/,
};

rightParts("createElector", correct, 30);
rightParts("createElector", { "the template": createElector }, 200);
brokenParts("createElector", broken, stories);
