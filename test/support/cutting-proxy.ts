import { connect, createServer, type Socket } from "node:net";
import type pg from "pg";

/**
 * A proxy between the service and its database that can cut the connection at the worst moment: after the server has committed and before its
 * response arrives.
 */
export interface CuttingProxy {
  readonly connection: pg.ClientConfig;
  /** Cuts the next `count` connections that send a COMMIT, each after the server's response to it. */
  cutCommits(count: number): void;
  cuts(): number;
  /** Runs between the server's COMMIT and the cut of its connection: the client waits for it. */
  onCut(work: () => Promise<unknown>): void;
  close(): Promise<void>;
}

const COMMIT = Buffer.from("commit\0");

export async function startCuttingProxy(connection: pg.ClientConfig): Promise<CuttingProxy> {
  let wanted = 0;
  let done = 0;
  let atCut: () => Promise<unknown> = () => Promise.resolve();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const { host = "", port = 0 } = connection;
    const upstream = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    sockets.add(client).add(upstream);
    let isCutting = false;
    client.on("data", (data: Buffer) => {
      if (wanted > 0 && data.includes(COMMIT)) {
        wanted--;
        isCutting = true;
      }
      upstream.write(data);
    });
    upstream.on("data", (data: Buffer) => {
      if (!isCutting) return void client.write(data);
      done++;
      upstream.pause();
      atCut().finally(() => {
        client.destroy();
        upstream.destroy();
      });
    });
    for (const socket of [client, upstream]) {
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    connection: { ...connection, host: "127.0.0.1", port: address.port },
    cutCommits: (count) => {
      wanted = count;
    },
    cuts: () => done,
    onCut: (work) => {
      atCut = work;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
