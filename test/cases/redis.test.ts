/** The cases on a real Redis server: in real time, several at once, each with a server of its own. */

import { describeWithServer } from "../servers/with-server.js";
import { casesOf, declareCases } from "./declare.js";

const cases = await casesOf("redis");

describeWithServer("redis", "on a real Redis server", () => declareCases(cases, { together: true }));
