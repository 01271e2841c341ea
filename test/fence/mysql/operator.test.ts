/** What operators do to a MySQL guard: acts with their record, and probes that leave nothing. */

import { operatorSuite } from "../sql/operators.js";
import { describeStand } from "./stand.js";

describeStand("an operator of the MySQL guard", (server) => {
  operatorSuite({ ...server, kind: "mysql" });
});
