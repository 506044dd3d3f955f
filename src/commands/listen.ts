import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { jwtVerify } from "jose";
import { Webhook } from "standardwebhooks";
import { UsageError } from "../config.ts";
import { readApiSecretKey } from "../credentials/api-secret-key-queries.ts";
import type { Deps } from "../deps.ts";
import { portNumber } from "../environment.ts";
import { listenError } from "../http/listen-place.ts";
import { selectSealedSecrets } from "../webhooks/subscriptions/secret-queries.ts";
import type { Given } from "./command-line.ts";
import { inTone, jsonText, jsonTime, printLine, printNote, shortTime } from "./output.ts";
import { raceInterrupts } from "./until-interrupted.ts";
import { withDeps } from "./with-deps.ts";

const PORT_USUAL = "4000";
const HOST = "127.0.0.1";
const BODY_BYTES_MAX = 1_048_576;
const BODY_SHOWN_MAX = 2_000;

/** The secrets that verify deliveries. */
export interface ListenSecrets {
  /** Secrets of subscriptions (`whsec_...`), any of which may have signed. */
  readonly signing: readonly string[];
  /** API secret keys, which sign the tokens. */
  readonly api: readonly string[];
}

/** The result for one of the two signatures of a delivery. */
export type Verdict = "valid" | "invalid" | "missing" | "not checked";

/**
 * `pointkeeper webhooks listen [--port <port>] [--secret <whsec_...>] [--api-secret <secret>] [--status <status>]`: a receiver on this machine
 * that verifies both signatures of each delivery and prints it, until it is interrupted. The exit code names the signal, like that of `tail --follow`.
 * Without secrets in the options it uses those of the store.
 */
export async function listen(given: Given): Promise<number> {
  const { options, isJson } = given;
  const port = readPort(options.get("port") ?? PORT_USUAL);
  const status = readStatus(options.get("status") ?? "200");
  const [secret, apiSecret] = [options.get("secret"), options.get("api-secret")];
  const isGiven = secret !== undefined || apiSecret !== undefined;
  const secrets = isGiven
    ? { signing: secret === undefined ? [] : [checkSecret(secret)], api: apiSecret === undefined ? [] : [apiSecret] }
    : await withDeps(readStoreSecrets);
  const server = createServer((request, response) => {
    receive(request, response, { secrets, status, isJson }).catch((error: unknown) => {
      printNote(`a delivery could not be read: ${error instanceof Error ? error.message : String(error)}`);
      response.destroy();
    });
  });
  server.listen(port, HOST);
  await once(server, "listening").catch((error: unknown) => {
    throw listenError(error, { host: HOST, port, setting: "--port" });
  });
  const address = server.address();
  const url = `http://${HOST}:${typeof address === "object" && address !== null ? address.port : port}`;
  printNote(
    `Listening on ${url}/ and answering ${status}; Ctrl-C ends it. A service sends here with POINTKEEPER_ALLOW_PRIVATE_CALLBACKS=1.`,
  );
  try {
    return await raceInterrupts((interrupted) => interrupted);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function readPort(text: string): number {
  try {
    return portNumber(text, "--port");
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readStatus(text: string): number {
  const status = Number(text);
  if (/^\d{3}$/.test(text) && status >= 200 && status <= 599) return status;
  throw new UsageError(`--status must be an HTTP status from 200 to 599, not "${text}".`);
}

function checkSecret(secret: string): string {
  try {
    new Webhook(secret);
    return secret;
  } catch {
    throw new UsageError("--secret must be a subscription's secret: whsec_ and base64.");
  }
}

async function readStoreSecrets(deps: Deps): Promise<ListenSecrets> {
  const sealed = await selectSealedSecrets(deps.db);
  const api = [await readApiSecretKey(deps.db, deps, "current"), await readApiSecretKey(deps.db, deps, "next")];
  return {
    signing: sealed.flatMap(({ secret, next }) =>
      [secret, next].flatMap((one) => (one === null ? [] : [deps.secretBox.open(one)])),
    ),
    api: api.filter((one) => one !== null),
  };
}

interface Receiving {
  readonly secrets: ListenSecrets;
  readonly status: number;
  readonly isJson: boolean;
}

async function receive(request: IncomingMessage, response: ServerResponse, receiving: Receiving): Promise<void> {
  const { secrets, status, isJson } = receiving;
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413).end();
    request.destroy();
    return;
  }
  response.writeHead(status).end();
  if (request.method !== "POST") return;
  const { signature, token, topic } = await verifyDelivery(request.headers, body, secrets);
  const id = String(request.headers["webhook-id"] ?? "");
  const at = Temporal.Now.instant();
  if (isJson) {
    const parts = { received_at: jsonTime(at), id, topic, signature, token, answered: status };
    printLine(jsonText({ ...parts, headers: request.headers, body }));
    return;
  }
  const verdicts = [`signature ${inTone(toneOf(signature), signature)}`, `token ${inTone(toneOf(token), token)}`];
  printLine([inTone("quiet", shortTime(at)), topic ?? "?", id, ...verdicts, `answered ${status}`].join("  "));
  printLine(`  ${body.length > BODY_SHOWN_MAX ? `${body.slice(0, BODY_SHOWN_MAX)}…` : body}`);
}

function toneOf(verdict: Verdict): "good" | "bad" | "warning" {
  if (verdict === "valid") return "good";
  return verdict === "not checked" ? "warning" : "bad";
}

/** Returns the body as text; null: it is larger than any delivery. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > BODY_BYTES_MAX) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Verifies a delivery as docs/webhooks.md describes for receivers: by its Standard Webhooks signature, and by its token. */
export async function verifyDelivery(
  headers: IncomingHttpHeaders,
  body: string,
  { signing, api }: ListenSecrets,
): Promise<{ readonly signature: Verdict; readonly token: Verdict; readonly topic: string | null }> {
  const { authorization } = headers;
  const signature = headers["webhook-signature"] === undefined ? "missing" : verifySignature(headers, body, signing);
  const jwt = authorization?.replace(/^Bearer /, "");
  const claims = jwt === undefined ? null : await readClaims(jwt, api);
  const isOfBody = claims?.["body_sha256"] === createHash("sha256").update(body).digest("hex");
  const token = jwt === undefined ? "missing" : api.length === 0 ? "not checked" : isOfBody ? "valid" : "invalid";
  const topic = claims?.["topic"];
  return { signature, token, topic: typeof topic === "string" ? topic : null };
}

function verifySignature(headers: IncomingHttpHeaders, body: string, secrets: readonly string[]): Verdict {
  if (secrets.length === 0) return "not checked";
  const named = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
    name,
    String(headers[name] ?? ""),
  ]);
  const isValid = secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, Object.fromEntries(named));
      return true;
    } catch {
      return false;
    }
  });
  return isValid ? "valid" : "invalid";
}

/** Returns the claims of a valid token that one of the secrets signed; null: none did, or it has expired. */
async function readClaims(jwt: string, secrets: readonly string[]): Promise<Readonly<Record<string, unknown>> | null> {
  for (const secret of secrets) {
    try {
      return (await jwtVerify(jwt, Buffer.from(secret, "utf8"), { algorithms: ["HS256"] })).payload;
    } catch {
      // another secret may have signed it
    }
  }
  return null;
}
