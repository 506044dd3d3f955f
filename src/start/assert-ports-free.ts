import { createServer, type Server } from "node:net";
import type { Config } from "../config.ts";
import { type ListenPlace, listenError, metricsPlace, servicePlace } from "../http/listen-place.ts";

/**
 * Refuses a start that could not listen in the end, before it makes or migrates a database: listens in each of its places for a moment.
 * @throws ConfigError naming the port and its setting
 */
export async function assertPortsFree(config: Config): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const place of [servicePlace(config), metricsPlace(config.metrics)])
      if (place !== undefined) servers.push(await listenAt(place)); // kept meanwhile: both settings may name the same port
  } finally {
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
  }
}

function listenAt(place: ListenPlace): Promise<Server> {
  const { host, port } = place;
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) => reject(listenError(error, place)));
    server.listen({ host, port }, () => resolve(server));
  });
}
