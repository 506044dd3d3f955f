import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A line between two sides that can be cut, and led to another place: the address that stays while what answers there changes. */
export interface Line {
  readonly port: number;
  /** The path of the Unix socket that new connections get; null: they are refused. Those that are open end. */
  leadTo(path: string | null): void;
  close(): Promise<void>;
}

/** Opens a line at a free port of the loopback, or at the path of a Unix socket. */
export async function openLine(target: string | null, at?: string): Promise<Line> {
  let path = target;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    if (path === null) return void client.destroy();
    join(client, connect({ path }), sockets);
  });
  const port = await listen(server, at);
  return {
    port,
    leadTo(next) {
      path = next;
      for (const socket of sockets) socket.destroy();
    },
    close: () => closeAll(server, sockets),
  };
}

/** A plain load balancer of connections, which checks whether each node is ready. */
export interface Balancer {
  readonly url: string;
  /** A node that takes the place of another, at an address of its own. */
  replace(index: number, url: string): void;
  close(): Promise<void>;
}

const ASK_MS = 100;
const ANSWER_MS = 1_000;

/**
 * Gives new connections to the nodes whose /ready is 200, in turn; to all of them where none is, so that clients get the nodes' own
 * answers. Connections that are open stay where they are.
 */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const nodes = urls.map((url) => ({ url, isReady: true }));
  const sockets = new Set<Socket>();
  let turn = 0;
  let isOver = false;
  const server = createServer({ noDelay: true }, (client) => {
    const ready = nodes.filter(({ isReady }) => isReady);
    const open = ready.length > 0 ? ready : nodes;
    const { hostname, port } = new URL(open[turn++ % open.length]?.url ?? "");
    join(client, connect({ host: hostname, port: Number(port) }), sockets);
  });
  const asking = nodes.map(async (node) => {
    while (!isOver) {
      node.isReady = await isReady(node.url);
      await delay(ASK_MS);
    }
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    replace(index, url) {
      const node = nodes[index];
      if (node !== undefined) node.url = url;
    },
    async close() {
      isOver = true;
      await Promise.all(asking);
      await closeAll(server, sockets);
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/ready`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { connection: "close" },
    });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}

async function listen(server: Server, at?: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (at === undefined) server.listen(0, "127.0.0.1", resolve);
    else server.listen(at, resolve);
  });
  const address = server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}

function join(client: Socket, upstream: Socket, sockets: Set<Socket>): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
  client.pipe(upstream).pipe(client);
}

async function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of sockets) socket.destroy();
  await closed;
}
