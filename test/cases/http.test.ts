/** The cases on services over HTTP, which keep what they are told in a file of SQLite or on a PostgreSQL server. */

import { describeWithServer } from "../servers/with-server.js";
import { casesOf, declareCases } from "./declare.js";

const cases = await casesOf("http");

describeWithServer(["node22", "postgres"], "on a service over HTTP", () => declareCases(cases));
