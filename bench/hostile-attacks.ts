import { connect, type Socket } from "node:net";

/** The service under attack, which always runs on this machine. */
export interface Victim {
  readonly port: number;
  /** The `authorization` header of a credential. */
  readonly authorization: string;
}

export interface Attack {
  readonly name: string;
  /** The number of simultaneous connections. */
  readonly clients: number;
  /** The number of source addresses in the loopback network. */
  readonly addresses: number;
  /** `again`: each client repeats the request; `slow`: once, one byte at a time with pauses. */
  readonly pace: "again" | "slow";
  request(victim: Victim): Buffer;
}

const MB = 1_048_576;
const ORIGIN = "x-pointkeeper-request: dashboard\r\ncontent-type: application/json\r\n";

function post(path: string, headers: string, body: string | Buffer, length = body.length): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}content-length: ${length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

const signIn =
  (body: string, length = body.length) =>
  () =>
    post("/admin/api/session", ORIGIN, body, length);
const rest = (body: string) => (victim: Victim) =>
  post("/api/storefront/point_allotments", auth(victim, "application/json"), body);
const events = (body: string) => (victim: Victim) => post("/intake/events", auth(victim, "application/json"), body);
const webhook =
  (body: Buffer, length = body.length) =>
  () =>
    post(
      "/intake/shopify/webhooks",
      "x-shopify-topic: orders/create\r\nx-shopify-shop-domain: bench.myshopify.com\r\n" +
        `x-shopify-webhook-id: 1\r\nx-shopify-hmac-sha256: ${Buffer.alloc(32).toString("base64")}\r\n`,
      body,
      length,
    );
const get =
  (path: string, headers = "") =>
  () =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`);
const repeated = (text: string, times: number) => Buffer.from(text.repeat(times));
/** A body of 200,000 chunks. */
const inSmallChunks = (path: string) => () =>
  Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${ORIGIN}transfer-encoding: chunked\r\n\r\n`),
    repeated("1\r\nx\r\n", 200_000),
    Buffer.from("0\r\n\r\n"),
  ]);
/** A packet in which another request follows a body that is refused for its small chunks. */
const afterSmallChunks = (request: string) => () =>
  Buffer.from(
    `POST /nope HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(4_500)}0\r\n\r\n${request}`,
  );
const halfHead = (text: string) => () => Buffer.from(`GET /health HTTP/1.1\r\nhost: a\r\nx-slow: ${text}`);
const auth = ({ authorization }: Victim, type: string) =>
  `authorization: ${authorization}\r\ncontent-type: ${type}\r\n`;

const line = { line_id: 1, quantity: 1, unit_price: { minor: 5, currency: "JPY" }, title: "x".repeat(20), tags: ["a"] };
const richEvents = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      type: "OrderPaid",
      delivery_key: `d${n}`,
      payload: { order_id: `A-${n}`, shop_currency: "JPY", lines: Array(48).fill(line), email: "no e-mail" },
    })),
  );
/** A name in an alphabet of its own, whose other form takes long to compute. */
const LONG_HOST = Array.from({ length: 4_000 }, (_, i) => encodeURIComponent(String.fromCodePoint(0x4e00 + i))).join(
  "",
);
const bomb = `{"${"a".repeat(400_000)}":[${Array(55_000).fill('"\\u0000"').join(",")}]}`;

const fast = (name: string, request: Attack["request"]): Attack => ({
  name,
  clients: 8,
  addresses: 1,
  pace: "again",
  request,
});
const slow = (name: string, clients: number, addresses: number, request: Attack["request"]): Attack => ({
  name,
  clients,
  addresses,
  pace: "slow",
  request,
});

/** Attacks that once stalled or ended the service, and similar ones. */
export const ATTACKS: readonly Attack[] = [
  fast("sign-in: 0.8 MB of bad texts under a long name", signIn(bomb)),
  fast("sign-in: 1 MB of tiny elements", signIn(`[1e5${",1".repeat(500_000)}]`)),
  fast("sign-in: 8 KB nested", signIn(`{"0000000000000000":${"[".repeat(8_000)}`)),
  fast("sign-in: wrong passwords", signIn('{"email":"nobody@store.example","password":"wrong"}')),
  fast("wrong secrets", get("/api/storefront/webhooks", "authorization: Bearer wrong\r\n")),
  fast("who is signed in", get("/admin/api/session")),
  fast("the dashboard's page", get("/admin/customers")),
  fast("a path of 120 KB", get(`/${"a/".repeat(60_000)}`)),
  fast("heads of 120 KB", get("/health", "x: y\r\n".repeat(20_000))),
  fast("an unknown method, then 60 KB without an end", () => Buffer.from(`FOO /${"a".repeat(60_000)}\n`)),
  fast("the dashboard's page under a host of 36 KB", () =>
    Buffer.from(`GET /admin HTTP/1.1\r\nhost: ${LONG_HOST}\r\nconnection: close\r\n\r\n`),
  ),
  fast("unsigned deliveries of 9.5 MB", webhook(Buffer.alloc(9.5 * MB, "x"))),
  fast(
    "REST, with a credential: 1 MB of bad texts",
    rest(`{"${"a".repeat(850_000)}":[${Array(19_000).fill('"\\u0000"').join(",")}]}`),
  ),
  fast("REST, with a credential: 1 MB of tiny elements", rest(`[1e5${",1".repeat(500_000)}]`)),
  fast("events, with a credential: 10 MB nested", events("[".repeat(10 * MB))),
  fast("events, with a credential: 10 MB of tiny elements", events(`[${"1,".repeat(5 * MB - 1)}1]`)),
  fast("events, with a credential: 5 MB of orders, each wrong", events(richEvents(1_000))),
  fast("an unread body in chunks of a byte", inSmallChunks("/nope")),
  fast("a sign-in in chunks of a byte", inSmallChunks("/admin/api/session")),
  fast("4,500 chunks of a byte, then CONNECT", afterSmallChunks("CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n")),
  fast(
    "4,500 chunks of a byte, then an upgrade",
    afterSmallChunks("GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
  ),
  fast("30,000 requests without waiting for answers", () => repeated("GET /nope HTTP/1.1\r\nhost: a\r\n\r\n", 30_000)),
  slow("3,000 half heads of one address", 3_000, 1, halfHead("")),
  slow("3,000 half heads of 8 addresses", 3_000, 8, halfHead("")),
  slow("2,000 half heads of 100 KB of 8 addresses", 2_000, 8, halfHead("x".repeat(100_000))),
  slow("3,000 half sign-ins of 8 addresses", 3_000, 8, signIn("x".repeat(7_000), 8_000)),
  slow("1,000 sign-ins of 800 KB", 1_000, 1, signIn("x".repeat(700_000), 800_000)),
  slow("120 unsigned deliveries, 9 of 9.5 MB sent", 120, 1, webhook(Buffer.alloc(9 * MB, "x"), 9.5 * MB)),
];

/** Runs an attack for some seconds and returns how often each status came; `cut`: closed without a response. */
export async function runAttack(attack: Attack, victim: Victim, seconds: number): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const bytes = attack.request(victim);
  const endsAt = performance.now() + seconds * 1_000;
  const client = attack.pace === "again" ? sendAgain : sendSlowly;
  await Promise.all(
    Array.from({ length: attack.clients }, async (_, n) => {
      const localAddress = attack.addresses === 1 ? "127.0.0.1" : `127.0.0.${2 + (n % attack.addresses)}`;
      await client({ bytes, port: victim.port, localAddress, endsAt }, (status) => {
        answers[status] = (answers[status] ?? 0) + 1;
      });
    }),
  );
  return answers;
}

interface Sending {
  readonly bytes: Buffer;
  readonly port: number;
  readonly localAddress: string;
  readonly endsAt: number;
}

const SLOW_MS = 2_000;
const GAP_MS = 20;

async function sendAgain(sending: Sending, tell: (status: string) => void): Promise<void> {
  while (performance.now() < sending.endsAt) {
    const isOpen = await exchangeOn(open(sending), sending, tell);
    if (!isOpen) await pause(GAP_MS); // refused on connecting: this pause prevents the machine from running out of ports
  }
}

/** Sends the request on a connection until it is closed or the time is over. Returns whether there was any response. */
function exchangeOn(socket: Socket, { bytes, endsAt }: Sending, tell: (status: string) => void): Promise<boolean> {
  return new Promise((resolve) => {
    let received = "";
    let isAnswered = false;
    const timer = setTimeout(() => socket.destroy(), Math.max(0, endsAt - performance.now()) + SLOW_MS);
    socket.on("connect", () => socket.write(bytes));
    socket.on("error", () => undefined); // the service closed it during a send
    socket.on("data", (data) => {
      received += data.toString("latin1");
      const status = statusOfWhole(received);
      if (status === null) return;
      tell(status);
      isAnswered = true;
      received = "";
      if (performance.now() < endsAt) socket.write(bytes);
      else socket.destroy();
    });
    socket.on("close", () => {
      clearTimeout(timer);
      if (!isAnswered) tell(/^HTTP\/1.1 (\d{3})/.exec(received)?.[1] ?? "cut");
      resolve(isAnswered);
    });
  });
}

/** Returns the status of a complete response, or null. */
function statusOfWhole(received: string): string | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const head = received.slice(0, headEnd);
  if (/\r\ntransfer-encoding: chunked/i.test(head))
    return received.endsWith("\r\n0\r\n\r\n") ? received.slice(9, 12) : null;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return received.length >= headEnd + 4 + length ? received.slice(9, 12) : null;
}

/** Reopens a connection whenever it is closed, and sends single bytes with pauses. */
async function sendSlowly(sending: Sending, tell: (status: string) => void): Promise<void> {
  while (performance.now() < sending.endsAt) {
    await holdOpen(sending, tell);
    await pause(SLOW_MS * Math.random());
  }
}

function holdOpen(sending: Sending, tell: (status: string) => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = open(sending);
    let status = "cut";
    const drip = setInterval(() => socket.write("x"), SLOW_MS);
    const end = setTimeout(() => {
      status = "held";
      socket.destroy();
    }, sending.endsAt - performance.now());
    socket.on("connect", () => socket.write(sending.bytes));
    socket.on("error", () => undefined); // the service closed it during a send
    socket.on("data", (data) => {
      status = /^HTTP\/1.1 (\d{3})/.exec(data.toString("latin1"))?.[1] ?? status;
    });
    socket.on("close", () => {
      clearInterval(drip);
      clearTimeout(end);
      tell(status);
      resolve();
    });
  });
}

function open({ port, localAddress }: Sending): Socket {
  return connect({ port, host: "127.0.0.1", localAddress });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
