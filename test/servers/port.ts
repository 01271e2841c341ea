/**
 * A port of the loopback interface that nothing listens on.
 *
 * It lies below the range from which the kernel serves outgoing connections. A port of that range can be lost while
 * its server is down: to any client's local end, or to a client that connects to it and is given the very same
 * number, and so talks to itself. The port is free at the moment of the answer only; who starts a server on it
 * checks that it is this server that answers.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

const width = 12_000;

export async function freePort(): Promise<number> {
  const top = lowestEphemeral();
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = top - 1 - Math.floor(Math.random() * width);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port between ${top - width} and ${top - 1}`);
}

function lowestEphemeral(): number {
  try {
    const text = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
    return Math.max(Number(text.trim().split(/\s+/)[0]), width + 1_100);
  } catch {
    // Not Linux: other systems begin at 49152, or at 32768.
    return 32_768;
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    });
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
