import { createServer, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import type { Journal } from "./journal.ts";
import { seeded } from "./plan.ts";

/** How the receivers beside the trusted one behave. */
export const BAD_RECEIVERS = ["hangs", "lies", "redirects", "streams"] as const;
export type BadReceiver = (typeof BAD_RECEIVERS)[number];

export interface Receivers {
  /** The trusted one, which writes down what it gets, and answers 500 once in twenty. */
  readonly url: string;
  readonly badUrl: (kind: BadReceiver) => string;
  /** The secret of the trusted one's subscription, for the signatures. */
  trust(secret: string): void;
  /** How often each of the others was asked. */
  asked(): Readonly<Record<BadReceiver, number>>;
  close(): Promise<void>;
}

const FAILED_PART = 0.05;
const ENDLESS_MS = 5;
/** Nine of ten times it breaks off after so long: the sender's own limit is longer than a round has time for. */
const HANG_MS = 500;

export async function startReceivers(seed: number, journal: Journal): Promise<Receivers> {
  const random = seeded(seed);
  const asked = { hangs: 0, lies: 0, redirects: 0, streams: 0 };
  let webhook: Webhook | undefined;
  const server = createServer(async (request, response) => {
    response.on("error", () => {});
    try {
      const body = await text(request);
      const bad = BAD_RECEIVERS.find((kind) => request.url === `/${kind}`);
      if (bad !== undefined) {
        asked[bad]++;
        return misbehave(bad, response, random());
      }
      if (random() < FAILED_PART) return void response.writeHead(500).end("not now");
      const { uid } = JSON.parse(body);
      journal.delivered(uid, isSigned(webhook, body, request.headers));
      response.writeHead(200).end();
    } catch {
      response.destroy(); // its sender was killed half-way
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${portOf(server)}`;
  return {
    url: `${base}/trusted`,
    badUrl: (kind) => `${base}/${kind}`,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function misbehave(kind: BadReceiver, response: ServerResponse, chance: number): void {
  if (kind === "hangs" && chance < 0.9) setTimeout(() => response.destroy(), HANG_MS);
  if (kind === "redirects") response.writeHead(302, { location: "http://127.0.0.1:9/elsewhere" }).end();
  if (kind === "lies")
    response.writeHead(200, { "content-length": "1000" }).write("less than it says", () => response.destroy());
  if (kind !== "streams") return;
  response.writeHead(200);
  const timer = setInterval(() => response.write("and so on, ".repeat(1_000)), ENDLESS_MS);
  response.on("close", () => clearInterval(timer));
}

/** Whether one of the signatures is the secret's over id, time and body. The time's age is not looked at: the store's clock jumps. */
function isSigned(webhook: Webhook | undefined, body: string, headers: NodeJS.Dict<string | string[]>): boolean {
  const [id, seconds, signatures] = ["id", "timestamp", "signature"].map((name) => String(headers[`webhook-${name}`]));
  const expected = webhook?.sign(id ?? "", new Date(Number(seconds) * 1_000), body);
  return expected !== undefined && (signatures ?? "").split(" ").includes(expected);
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return address.port;
}
