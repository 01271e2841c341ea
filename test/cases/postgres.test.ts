/** The cases on a real PostgreSQL server: in real time, each with a server of its own. */

import { describeWithServer } from "../servers/with-server.js";
import { casesOf, declareCases } from "./declare.js";

const cases = await casesOf("postgres");

describeWithServer("postgres", "on a real PostgreSQL server", () => declareCases(cases));
