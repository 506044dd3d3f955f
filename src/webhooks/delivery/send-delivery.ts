import type { KeyObject } from "node:crypto";
import type { Dispatcher } from "undici";
import type { Deps } from "../../deps.ts";
import type { Span } from "../../instruments/tracer.ts";
import type { CallbackTarget } from "../callbacks/callback-url.ts";
import type { Topic } from "../topics/index.ts";
import { pointBalancesExport } from "../topics/point-balances-export.ts";
import type { AttemptOutcome, DueDelivery } from "./delivery.ts";
import { bearerToken, webhookHeaders } from "./sign-delivery.ts";

/** The maximum time of an attempt, including connecting, by the machine's clock (interface.md 6.1). */
const TIMEOUT_MS = 5_000;
const ANSWER_HEAD_BYTES = 1_000;
/** An answer is read completely up to this size, so that the connection can be used again. */
const ANSWER_BYTES_MAX = 64_000;
const FAILURE_LENGTH_MAX = 300;

/** The target and the keys of one subscription's deliveries. */
export interface Receiver {
  readonly topic: Topic;
  readonly target: CallbackTarget;
  /** The store's API secret key. */
  readonly tokenKey: KeyObject;
  /** The subscription's secrets: two during a rotation. */
  readonly signatureKeys: readonly KeyObject[];
  readonly dispatcher: Dispatcher;
  readonly revivals: number;
  /** Returns the URL of an export's file, signed now. */
  readonly exportUrl: (exportUid: string) => string | Promise<string>;
}

type SendDeps = Pick<Deps, "clock" | "config" | "tracer">;
type AttemptAnswer = Pick<AttemptOutcome, "status" | "failure" | "answerHead">;

/**
 * Makes one attempt and returns its outcome; never throws (program.md 7). Redirects are not followed. The address is checked again, and a name is
 * looked up by the dispatcher's guarded lookup.
 */
export async function sendDelivery(deps: SendDeps, receiver: Receiver, delivery: DueDelivery): Promise<AttemptOutcome> {
  const startedAt = deps.clock.now();
  const startedMs = performance.now();
  const span = startSpan(deps, receiver, delivery);
  let answer: AttemptAnswer;
  try {
    answer = await post(deps, receiver, delivery, { startedAt, span });
  } catch (error) {
    answer = { status: null, failure: failureText(error), answerHead: null };
  }
  endSpan(span, answer);
  const durationMs = Math.round(performance.now() - startedMs);
  return { delivery, startedAt, durationMs, revivals: receiver.revivals, ...answer };
}

/** Starts the span of an attempt. The receiver's URL may contain its secret, so only its topic is in the trace. */
function startSpan({ tracer }: SendDeps, { topic }: Receiver, delivery: DueDelivery): Span | undefined {
  return tracer?.start(`webhook ${topic}`, {
    kind: "client",
    parent: delivery.traceparent,
    attributes: {
      "pointkeeper.topic": topic,
      "pointkeeper.attempt": delivery.attempts + 1,
      "webhook.id": delivery.uid,
    },
  });
}

function endSpan(span: Span | undefined, { status }: AttemptAnswer): void {
  const failure = status === 200 ? undefined : new Error(status === null ? "no answer" : "not acknowledged");
  span?.end(status === null ? {} : { "http.response.status_code": status }, failure);
}

async function post(
  deps: Pick<Deps, "config">,
  receiver: Receiver,
  delivery: DueDelivery,
  { startedAt, span }: { readonly startedAt: Temporal.Instant; readonly span: Span | undefined },
): Promise<AttemptAnswer> {
  const { origin, path, refusal } = receiver.target;
  if (refusal !== null) throw new Error(refusal);
  const body = isExport(receiver, delivery) ? await exportBody(receiver, delivery) : delivery.payload;
  const headers = headersOf(deps.config.publicUrl, receiver, delivery, body, startedAt);
  const traceparent = span?.traceparent ?? delivery.traceparent;
  if (traceparent !== null) headers["traceparent"] = traceparent;
  return exchange(receiver.dispatcher, { origin, path, method: "POST", headers, body });
}

/**
 * Sends a request and reads the answer up to a limit. An answer that breaks off, never ends or is too long keeps its status, which arrived in time;
 * the rest is only for the log. Uses `dispatch`, which costs half of a promise with streams and signals.
 */
function exchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<AttemptAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status: number | null = null;
    let failure: Error | null = null;
    let length = 0;
    const head: Buffer[] = [];
    const timer = setTimeout(() => stop(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);

    function end(): void {
      clearTimeout(timer);
      if (status === null) reject(failure ?? new Error("no answer"));
      else resolve({ status, failure: null, answerHead: textOf(head) });
    }

    function stop(error: Error): void {
      failure = error;
      end(); // at once: no attempt waits for what the dispatcher makes of this
      controller?.abort(error);
    }

    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        if (failure !== null) started.abort(failure); // given up before it was connected
      },
      onResponseStart(_controller, statusCode) {
        if (statusCode >= 200) status = statusCode;
      },
      onResponseData(_controller, piece) {
        if (length < ANSWER_HEAD_BYTES) head.push(piece.subarray(0, ANSWER_HEAD_BYTES - length));
        length += piece.length;
        if (length > ANSWER_BYTES_MAX) stop(new Error("the answer is too long"));
      },
      onResponseEnd: end,
      onResponseError(_controller, error) {
        failure ??= error;
        end();
      },
    });
  });
}

function isExport(receiver: Receiver, delivery: DueDelivery): boolean {
  return receiver.topic === pointBalancesExport.name && delivery.isTest !== true;
}

async function exportBody(receiver: Receiver, delivery: DueDelivery): Promise<string> {
  return pointBalancesExport.payload({ url: await receiver.exportUrl(delivery.payload) });
}

function headersOf(
  issuer: string,
  receiver: Receiver,
  delivery: DueDelivery,
  body: string,
  at: Temporal.Instant,
): Record<string, string> {
  const signed = { uid: delivery.uid, topic: receiver.topic, body, at };
  const headers = webhookHeaders(receiver.signatureKeys, signed);
  headers.authorization = `Bearer ${bearerToken(receiver.tokenKey, issuer, signed)}`;
  headers["content-type"] = "application/json";
  headers["user-agent"] = "pointkeeper";
  if (delivery.version !== null) headers["pointkeeper-version"] = delivery.version.toString();
  if (delivery.isTest === true) headers["pointkeeper-test"] = "true";
  return headers;
}

function textOf(pieces: readonly Buffer[]): string {
  if (pieces.length === 0) return "";
  return Buffer.concat(pieces).toString("utf8").replaceAll("\0", "\u{fffd}");
}

function failureText(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  const code = "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  return `${code}${error.message}`.replaceAll("\0", "").toWellFormed().slice(0, FAILURE_LENGTH_MAX);
}
