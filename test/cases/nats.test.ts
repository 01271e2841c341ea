/** The cases on a real NATS server: in real time, several at once, each with a server of its own. */

import { describeWithServer } from "../servers/with-server.js";
import { casesOf, declareCases } from "./declare.js";

const cases = await casesOf("nats");

describeWithServer("nats", "on a real NATS server", () => declareCases(cases, { together: true }));
