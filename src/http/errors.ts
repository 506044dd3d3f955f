import type { FastifyError, FastifyReply } from "fastify";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import type { App } from "./app-type.ts";
import {
  type ClaimedRequest,
  claimFrom,
  isStored,
  keyTime,
  readStored,
  replayOf,
  type StoredAnswer,
  storeAnswers,
} from "./idempotency/idempotency.ts";
import { openAnswer } from "./idempotency/sealed-answer.ts";
import { type Refusal, refusalOf, storedRefusal } from "./refusal.ts";
import { sendAnswer } from "./send-answer.ts";

type ErrorDeps = Pick<Deps, "db" | "clock" | "log" | "secretBox">;

/** Renders everything that handlers and the framework throw (interface.md 7, program.md 1). */
export function registerErrors(app: App, deps: ErrorDeps): void {
  app.decorateRequest("isClaimTaken", false);
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const thrown = refusalOf(error);
    const refusal = thrown.status === 401 ? ((await app.rateLimits.countFailure(request, reply)) ?? thrown) : thrown;
    // its client has left in the middle of the body: nobody reads an answer, and a line for each would let anybody fill the log
    if (error === request.raw.errored) return sendAnswer(reply, storedRefusal(refusal));
    return sendAnswer(reply, await answerOfError(deps, request, error, refusal));
  });
}

/** The parts of a request that its refusal needs. */
type RefusedRequest = ClaimedRequest & {
  readonly id: string;
  readonly routeOptions: { readonly url?: string | undefined };
};

/** Returns the answer to a request that failed; logs it if the service is at fault. */
export function answerOfError(
  deps: ErrorDeps,
  request: RefusedRequest,
  error: unknown,
  refusal: Refusal = refusalOf(error),
): Promise<StoredAnswer> {
  if (refusal.status >= 500) logFailure(deps, request, refusal, error);
  return answerOf(deps, request, refusal);
}

/** Sends a refusal outside the error handler. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return sendAnswer(reply, storedRefusal(refusal));
}

/**
 * Returns the answer of a refusal that came before the handler took the request's Idempotency-Key (a value that does not validate): it is
 * stored under the key, too, or the answer that is already stored there is sent (program.md 2).
 */
async function answerOf(deps: ErrorDeps, request: RefusedRequest, refusal: Refusal): Promise<StoredAnswer> {
  const answer = storedRefusal(refusal);
  const hasClaim = request.method === "POST" && request.headers["idempotency-key"] !== undefined;
  if (!hasClaim || request.isClaimTaken || !request.credential || !isStored(refusal.status)) return answer;
  try {
    return await storedOr(deps, request, answer);
  } catch (error) {
    const other = refusalOf(error);
    if (other.status >= 500) logFailure(deps, request, other, error);
    return storedRefusal(other);
  }
}

async function storedOr(deps: ErrorDeps, request: RefusedRequest, answer: StoredAnswer): Promise<StoredAnswer> {
  const claim = claimFrom(request);
  if (claim === null) return answer;
  const now = keyTime(deps.clock);
  const written = await storeAnswers(deps.db, [{ claim, answer }], now);
  if (written === 1) return answer;
  const [stored] = await readStored(deps.db, [claim], now);
  const replay = stored === undefined ? answer : replayOf(claim, stored);
  if (replay === "idempotency_mismatch") throw new Problem(replay);
  return openAnswer(deps, replay);
}

function logFailure(deps: ErrorDeps, request: RefusedRequest, refusal: Refusal, error: unknown): void {
  const route = request.routeOptions.url ?? "";
  const fields = { requestId: request.id, method: request.method, route, status: refusal.status, error };
  if (refusal.status === 503) deps.log.warn(fields, "request refused: service unavailable");
  else deps.log.error(fields, "request failed");
}
