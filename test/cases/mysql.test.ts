/** The cases on a real MariaDB server: in real time, each with a server of its own. */

import { describeWithServer } from "../servers/with-server.js";
import { casesOf, declareCases } from "./declare.js";

const cases = await casesOf("mysql");

describeWithServer("mariadb", "on a real MariaDB server", () => declareCases(cases));
