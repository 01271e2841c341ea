/** A store on a server that the reader has. */
import { redisStore } from "tenure/redis";

const store = redisStore("redis://127.0.0.1:6379");
