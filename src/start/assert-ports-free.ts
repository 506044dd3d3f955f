import { createServer, type Server } from "node:net";
import type { Config } from "../config.ts";
import { type ListenPlace, listenError, metricsPlace, servicePlace } from "../http/listen-place.ts";

/**
 * Listens for a moment on each configured port, so that a start with a port in use fails before it creates or migrates a database.
 * @throws ConfigError naming the port and its setting
 */
export async function assertPortsFree(config: Config): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const place of [servicePlace(config), metricsPlace(config.metrics)])
      if (place !== undefined) servers.push(await listenAt(place)); // kept open: two settings may name the same port
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
