import type { Webhook } from "standardwebhooks";
import type { Dispatcher } from "undici";
import type { Deps } from "../deps.ts";
import { bearerToken } from "./bearer-token.ts";
import { refuseCallbackUrl } from "./callback-url.ts";
import type { AttemptOutcome, DueDelivery } from "./delivery.ts";
import type { Topic } from "./topics/index.ts";
import { pointBalancesExport } from "./topics/point-balances-export.ts";

/** An attempt ends here, connecting included, by the machine's clock (interface.md 6.1). */
const TIMEOUT_MS = 5_000;
const ANSWER_HEAD_BYTES = 1_000;
/** An answer is read to its end up to here, so that the connection can be used again. */
const ANSWER_BYTES_MAX = 64_000;
const FAILURE_LENGTH_MAX = 300;

/** Where and how one subscription's deliveries are sent. */
export interface Receiver {
  readonly topic: Topic;
  readonly callbackUrl: string;
  /** The store's API secret key. */
  readonly tokenKey: CryptoKey;
  /** The subscription's secrets: two while it is rotated. */
  readonly signers: readonly Webhook[];
  readonly dispatcher: Dispatcher;
  readonly revivals: number;
  /** The address of an export's file, signed now. */
  readonly exportUrl: (exportUid: string) => string | Promise<string>;
}

/**
 * Makes one attempt and returns what came of it; never throws (program.md 7). Redirects are not followed; the address is checked
 * again, and a name is looked up by the dispatcher's guarded lookup.
 */
export async function sendDelivery(
  deps: Pick<Deps, "clock" | "config">,
  receiver: Receiver,
  delivery: DueDelivery,
): Promise<AttemptOutcome> {
  const startedAt = deps.clock.now();
  const startedMs = performance.now();
  const answer = await post(deps, receiver, delivery).catch((error: unknown) => ({
    status: null,
    failure: failureText(error),
    answerHead: null,
  }));
  const durationMs = Math.round(performance.now() - startedMs);
  return { delivery, startedAt, durationMs, revivals: receiver.revivals, ...answer };
}

async function post(deps: Pick<Deps, "clock" | "config">, receiver: Receiver, delivery: DueDelivery) {
  const { allowPrivateCallbacks, callbackPorts } = deps.config;
  const refusal = refuseCallbackUrl(receiver.callbackUrl, allowPrivateCallbacks, callbackPorts);
  if (refusal !== null) throw new Error(refusal);
  const url = new URL(receiver.callbackUrl);
  const body = await bodyOf(receiver, delivery);
  const headers = await headersOf(deps, receiver, delivery, body);
  const answer = await receiver.dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.statusCode, failure: null, answerHead: await headOf(answer.body) };
}

async function bodyOf(receiver: Receiver, delivery: DueDelivery): Promise<string> {
  if (receiver.topic !== pointBalancesExport.name || delivery.isTest === true) return delivery.payload;
  return pointBalancesExport.payload({ url: await receiver.exportUrl(delivery.payload) });
}

async function headersOf(
  deps: Pick<Deps, "clock" | "config">,
  receiver: Receiver,
  delivery: DueDelivery,
  body: string,
): Promise<Record<string, string>> {
  const token = await bearerToken(deps, receiver.tokenKey, { deliveryUid: delivery.uid, topic: receiver.topic, body });
  const signedAt = new Date(deps.clock.now().epochMilliseconds);
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "user-agent": "pointkeeper",
    "webhook-id": delivery.uid,
    "webhook-timestamp": String(Math.floor(signedAt.getTime() / 1_000)),
    "webhook-signature": receiver.signers.map((signer) => signer.sign(delivery.uid, signedAt, body)).join(" "),
  };
  if (delivery.version !== null) headers["pointkeeper-version"] = delivery.version.toString();
  if (delivery.isTest === true) headers["pointkeeper-test"] = "true";
  return headers;
}

/** What the receiver said; an answer that breaks off or never ends keeps its status. */
async function headOf(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      const bytes: Buffer = piece; // a body without encoding gives buffers
      if (length < ANSWER_HEAD_BYTES) pieces.push(bytes.subarray(0, ANSWER_HEAD_BYTES - length));
      length += bytes.length;
      if (length > ANSWER_BYTES_MAX) break;
    }
  } catch {
    // the status came in time: what follows is for the log only
  }
  return Buffer.concat(pieces).toString("utf8").replaceAll("\0", "\u{fffd}");
}

function failureText(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1_000} s`;
  const code = "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  return `${code}${error.message}`.replaceAll("\0", "").toWellFormed().slice(0, FAILURE_LENGTH_MAX);
}
