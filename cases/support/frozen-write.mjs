// A leader that stops exactly between its check and the effect of its write: `frozen-write.mjs URL DIRECTORY HISTORY`.
// Its lease is on a Redis server, its resource in a directory. Tells when it is about to stop, and what became of the
// write once somebody let it go on, as lines of JSON.
import { appendFileSync } from "node:fs";
import process from "node:process";
import { createElection } from "../../dist/index.js";
import { fileGuard } from "../../dist/fence/file/index.js";
import { redisStore } from "../../dist/stores/redis/index.js";

const [url = "", directory = "", history = ""] = process.argv.slice(2);
const ttlMs = 1_500;

/** @param {object} what */
const tell = (what) => void process.stdout.write(`${JSON.stringify(what)}\n`);

const election = createElection({
  name: "job",
  node: "stopped",
  store: redisStore(url, { maxTtlMs: ttlMs }),
  ttlMs,
  history: (line) => appendFileSync(history, `${line}\n`),
});
const leadership = await election.campaign();
const guard = fileGuard(directory, {
  resource: "ledger",
  initial: { count: 0, entries: /** @type {string[]} */ ([]) },
});
const ledger = await guard.claim(leadership);
let checked = false;
let current = true;
const code = await ledger
  .transaction((tx) => {
    leadership.check();
    checked = true;
    tell({ token: leadership.token });
    process.kill(process.pid, "SIGSTOP");
    current = leadership.isCurrent;
    tx.value = { count: tx.value.count + 1, entries: [...tx.value.entries, "stale"] };
  })
  .then(
    () => "written",
    (cause) => /** @type {{ code: string }} */ (cause).code,
  );
tell({ checked, current, code });
process.exit(0);
