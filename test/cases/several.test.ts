/** The cases on a database, a cache and a queue at once, on servers of their own. */

import { describeWithServer } from "../servers/with-server.js";
import { casesOf, declareCases } from "./declare.js";

const cases = await casesOf("several");

describeWithServer(["postgres", "redis", "nats"], "on several resources", () => declareCases(cases));
