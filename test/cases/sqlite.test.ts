/** The cases on files of SQLite, which other processes have open: this Node.js has none. */

import { describeWithServer } from "../servers/with-server.js";
import { casesOf, declareCases } from "./declare.js";

const cases = await casesOf("sqlite");

describeWithServer(["node22", "better-sqlite3"], "on a file of SQLite", () => declareCases(cases));
