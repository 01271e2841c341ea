// A process that falls off its end: `departing.mjs DIRECTORY HOW`, as leader, as follower, or after stop().
import process from "node:process";
import { createElection } from "../../dist/index.js";
import { fileStore } from "../../dist/stores/file/index.js";

const [directory = "", how = "stopped"] = process.argv.slice(2);
const options = { name: how, store: fileStore(directory, { maxTtlMs: 60_000 }), ttlMs: 60_000 };
const election = createElection(options);
await election.campaign();
if (how === "stopped") await election.stop({ drainMs: 0 });
if (how === "follower") void createElection(options).campaign();
process.stdout.write("the end\n");
