import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below those that systems give to whoever asks for any port, a connection that goes out included: one of these is soon somebody else's. */
const PORTS = { from: 15_000, to: 32_000 };
const TRIES = 50;

/** Returns a port of 127.0.0.1 on which nothing listens, and that nobody gets who has not chosen it. */
export async function freePort(): Promise<number> {
  for (let n = 0; n < TRIES; n++) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${PORTS.from} to ${PORTS.to} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
