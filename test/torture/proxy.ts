import { connect, createServer, type Socket } from "node:net";

/** Where the proxy loses the connection of the next COMMIT that it sees. */
export type Cut = "before" | "unanswered" | "answered";

/** Stands between one node and the database, reads the messages of both, and loses connections at the moments that matter. */
export interface CuttingProxy {
  readonly port: number;
  /** The next `count` transactions that are committed are cut there. */
  cutCommits(cut: Cut, count: number): void;
  /** Loses up to `count` connections now, whatever they are doing; returns how many. */
  cutAny(count: number): number;
  /** How many connections each cut has lost so far. */
  done(): Readonly<Record<Cut, number>>;
  close(): Promise<void>;
}

const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;
const QUERY = "Q".charCodeAt(0);
const COMPLETE = "C".charCodeAt(0);
const COMMIT_TAG = Buffer.from("COMMIT\0");

/** Cuts the bytes of one direction into messages; `hasType` is false for the first message of a client. */
function createFrames(isClient: boolean): (data: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  let hasType = !isClient;
  return (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    const frames: Buffer[] = [];
    for (;;) {
      const head = hasType ? TYPE_BYTES : 0;
      if (rest.length < head + LENGTH_BYTES) return frames;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return frames;
      frames.push(rest.subarray(0, end));
      rest = rest.subarray(end);
      hasType = true;
    }
  };
}

const isCommit = (frame: Buffer) =>
  frame[0] === QUERY && /^\s*commit\s*;?\s*\0$/i.test(frame.toString("latin1", TYPE_BYTES + LENGTH_BYTES));
const isCommitted = (frame: Buffer) =>
  frame[0] === COMPLETE && frame.subarray(TYPE_BYTES + LENGTH_BYTES).equals(COMMIT_TAG);

/** Starts a proxy on a free port of the loopback in front of a server's Unix socket. No TLS: the node must not ask for it. */
export async function startProxy(socketPath: string): Promise<CuttingProxy> {
  let wanted: { cut: Cut; count: number } = { cut: "before", count: 0 };
  const done = { before: 0, unanswered: 0, answered: 0 };
  const pairs = new Set<() => void>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ path: socketPath });
    const lose = join(client, upstream, pairs);
    const readClient = createFrames(true);
    const readServer = createFrames(false);
    let cutting: Cut | undefined;
    const finish = (cut: Cut) => {
      done[cut]++;
      lose();
    };
    client.on("data", (data: Buffer) => {
      for (const frame of readClient(data)) {
        if (cutting === undefined && wanted.count > 0 && isCommit(frame)) {
          wanted = { ...wanted, count: wanted.count - 1 };
          cutting = wanted.cut;
        }
        if (cutting === "before") return finish("before");
        upstream.write(frame);
      }
    });
    upstream.on("data", (data: Buffer) => {
      for (const frame of readServer(data)) {
        const isEnd = cutting !== undefined && isCommitted(frame);
        if (isEnd && cutting === "unanswered") return finish("unanswered");
        client.write(frame);
        if (isEnd && cutting === "answered") return void client.end(() => finish("answered"));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    port: address.port,
    cutCommits: (cut, count) => {
      wanted = { cut, count };
    },
    cutAny(count) {
      const lost = [...pairs].slice(0, count);
      for (const lose of lost) lose();
      return lost.length;
    },
    done: () => done,
    close: () =>
      new Promise((resolve) => {
        for (const lose of pairs) lose();
        server.close(() => resolve());
      }),
  };
}

/** Ends both sockets when one ends; returns what ends them now. */
function join(client: Socket, upstream: Socket, pairs: Set<() => void>): () => void {
  const lose = () => {
    pairs.delete(lose);
    client.destroy();
    upstream.destroy();
  };
  pairs.add(lose);
  for (const socket of [client, upstream]) socket.on("error", () => {}).on("close", lose);
  return lose;
}
