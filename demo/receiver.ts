import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { jwtVerify } from "jose";
import { Webhook } from "standardwebhooks";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { CREDENTIAL } from "./start-service.ts";

export const TOPICS = ["point_allotment/cascade", "point_balance/update", "point_balances/export"] as const;
export type Topic = (typeof TOPICS)[number];

/** The shop's receiver of webhooks: it accepts deliveries, checks both signatures of each, and keeps the needed data. */
export interface Receiver {
  callbackUrl(topic: Topic): string;
  /** The secret of each subscription, returned when it was created. */
  readonly secrets: Map<Topic, string>;
  /** Distinct deliveries by topic. */
  readonly deliveries: ReadonlyMap<Topic, ReadonlySet<string>>;
  /** Points by allotment, according to the deliveries. */
  readonly allotments: ReadonlyMap<string, bigint>;
  /** URLs of exported files. */
  readonly files: readonly string[];
  /** The errors of refused deliveries. */
  readonly refused: readonly string[];
  /** The number of repeated deliveries. */
  readonly repeats: number;
  close(): Promise<void>;
}

const cascade = Type.Object({ uid: Type.String(), point_value: Type.Integer() });
const exported = Type.Object({ url: Type.String() });
const claims = Type.Object({ topic: Type.String(), body_sha256: Type.String(), jti: Type.String() });

/** Starts the receiver on a free port of this machine. */
export async function startReceiver(): Promise<Receiver> {
  const secrets = new Map<Topic, string>();
  const deliveries = new Map<Topic, Set<string>>(TOPICS.map((topic) => [topic, new Set<string>()]));
  const allotments = new Map<string, bigint>();
  const files: string[] = [];
  const refused: string[] = [];
  let repeats = 0;

  async function take(request: IncomingMessage): Promise<void> {
    const topic = TOPICS.find((name) => request.url === `/${name}`);
    if (topic === undefined) throw new Error(`nothing is taken at ${request.url}`);
    const body = await readText(request);
    const id = await checkDelivery(request, { topic, body, secret: secrets.get(topic) ?? "" });
    const seen = deliveries.get(topic);
    if (seen?.has(id)) repeats += 1;
    seen?.add(id);
    if (topic === "point_allotment/cascade") {
      const { uid, point_value } = parse(cascade, body);
      allotments.set(uid, BigInt(point_value));
    }
    if (topic === "point_balances/export") files.push(parse(exported, body).url);
  }

  const server = createServer(async (request, response) => {
    try {
      await take(request);
      response.writeHead(200).end();
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error));
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    callbackUrl: (topic) => `http://127.0.0.1:${port}/${topic}`,
    secrets,
    deliveries,
    allotments,
    files,
    refused,
    get repeats() {
      return repeats;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Checks the token, which is for this topic and body only, and the Standard Webhooks signature; returns the delivery's id. */
async function checkDelivery(
  request: IncomingMessage,
  { topic, body, secret }: { readonly topic: Topic; readonly body: string; readonly secret: string },
): Promise<string> {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const key = new TextEncoder().encode(CREDENTIAL.secret);
  const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], requiredClaims: ["exp", "iat"] });
  if (!Value.Check(claims, payload)) throw new Error("the token lacks a claim");
  if (payload.topic !== topic) throw new Error(`the token is for ${payload.topic}`);
  if (payload.body_sha256 !== createHash("sha256").update(body).digest("hex"))
    throw new Error("the token is for another body");
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name] ?? "")]));
  new Webhook(secret).verify(body, headers);
  if (headers["webhook-id"] !== payload.jti) throw new Error("the token is for another delivery");
  return payload.jti;
}

/** Reads a request's complete body. */
export async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

function parse<T extends typeof cascade | typeof exported>(shape: T, body: string): Static<T> {
  const value: unknown = JSON.parse(body);
  if (!Value.Check(shape, value)) throw new Error("the payload has another shape");
  return value;
}
