import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { LoadOrder, LoadOutcome } from "./load-protocol.ts";

// A thread that sends requests over kept connections. Each request is formatted before the first is sent, and of each response only the status and
// the end are parsed. Each connection has one request at a time. It costs about as much as `wrk`.
const READ_BYTES = 16_384;
const HEAD_END = "\r\n\r\n";
const LENGTH = "content-length: ";
const STATUS_AT = "HTTP/1.1 ".length;

const order: LoadOrder = workerData;
const total = order.connections * order.perConnection;
const durationsMs = new Float64Array(total);
let [acknowledged, points, refused, answered, endMs] = [0, 0, 0, 0, 0];
let firstRefusal: string | null = null;

/** Requests are text with one byte per character. */
function requestText(n: number): string {
  const body = `{"customer_id":"${order.customerIds[n] ?? ""}","point_value":${order.pointValues[n] ?? 0}}`;
  const key = order.keyPrefix === null ? "" : `idempotency-key: ${order.keyPrefix}${n}\r\n`;
  return (
    `POST ${order.path} HTTP/1.1\r\nhost: ${order.host}:${order.port}\r\nauthorization: ${order.authorization}\r\n` +
    `content-type: application/json\r\n${key}content-length: ${body.length}\r\n\r\n${body}`
  );
}

function fail(error: Error): void {
  throw error;
}

/** Sends a connection's requests one after the other. */
class Sender {
  readonly #first: number;
  readonly #connection: number;
  readonly #requests: readonly string[];
  #socket: Socket | undefined;
  #next = 0;
  #sentMs = 0;
  #rest = "";

  constructor(connection: number) {
    this.#connection = connection;
    this.#first = connection * order.perConnection;
    this.#requests = Array.from({ length: order.perConnection }, (_, n) => requestText(this.#first + n));
  }

  open(): Promise<void> {
    return new Promise((resolve) => {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const callback = (bytes: number): boolean => {
        this.#take(buffer.toString("latin1", 0, bytes));
        return true;
      };
      const socket = connect({ host: order.host, port: order.port, noDelay: true, onread: { buffer, callback } });
      socket.once("connect", resolve).on("error", fail);
      socket.on("close", () => {
        if (this.#next < this.#requests.length) fail(new Error("a connection was closed before its last answer"));
      });
      this.#socket = socket;
    });
  }

  /** Sends the next request: now, or when it is due. */
  send(): void {
    const nowMs = performance.now();
    this.#sentMs = order.perSecond === null ? nowMs : this.#dueMs(order.perSecond);
    if (this.#sentMs > nowMs) setTimeout(() => this.#write(), this.#sentMs - nowMs);
    else this.#write();
  }

  /** The connections take turns. */
  #dueMs(perSecond: number): number {
    return startedMs + ((this.#next * order.connections + this.#connection) * 1_000) / perSecond;
  }

  #write(): void {
    this.#socket?.write(this.#requests[this.#next] ?? "", "latin1");
  }

  #take(text: string): void {
    const answer = this.#rest === "" ? text : this.#rest + text;
    const headEnd = answer.indexOf(HEAD_END);
    const lengthAt = answer.indexOf(LENGTH);
    if (headEnd < 0) {
      this.#rest = answer;
      return;
    }
    if (lengthAt < 0 || lengthAt > headEnd) fail(new Error(`an answer has no length: ${answer.slice(0, headEnd)}`));
    const end = headEnd + HEAD_END.length + Number.parseInt(answer.slice(lengthAt + LENGTH.length, headEnd), 10);
    if (answer.length < end) {
      this.#rest = answer;
      return;
    }
    if (answer.length > end) fail(new Error("an answer came that was not asked for"));
    this.#rest = "";
    this.#count(answer);
  }

  #count(answer: string): void {
    endMs = performance.now();
    durationsMs[answered++] = endMs - this.#sentMs;
    if (answer.startsWith("200", STATUS_AT)) {
      acknowledged++;
      points += order.pointValues[this.#first + this.#next] ?? 0;
    } else {
      refused++;
      firstRefusal ??= answer;
    }
    this.#next++;
    if (this.#next < this.#requests.length) this.send();
    else this.#socket?.end();
    if (answered === total) report();
  }
}

function report(): void {
  durationsMs.sort();
  const outcome: LoadOutcome = {
    durationsMs,
    elapsedMs: endMs - startedMs,
    acknowledged,
    points,
    refused,
    firstRefusal,
  };
  parentPort?.postMessage(outcome);
}

const senders = Array.from({ length: order.connections }, (_, connection) => new Sender(connection));
await Promise.all(senders.map((sender) => sender.open()));
const startedMs = performance.now();
for (const sender of senders) sender.send();
