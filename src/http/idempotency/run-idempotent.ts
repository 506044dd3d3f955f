import type { FastifyReply, FastifyRequest } from "fastify";
import { sqlState, type Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { withKeyedMutex } from "../keyed-mutex.ts";
import { storedRefusal } from "../refusal.ts";
import { sendAnswer } from "../send-answer.ts";
import {
  claimFrom,
  type IdempotencyClaim,
  isStored,
  keyTime,
  LOCK_KEYS,
  lockText,
  readStored,
  replayOf,
  type StoredAnswer,
  storeAnswers,
} from "./idempotency.ts";
import { openAnswer, sealAnswer } from "./sealed-answer.ts";

/** The answer of a POST: a body of the route's response schema, or JSON text that is sent unchanged. */
export interface Answer {
  readonly status: number;
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it contains a secret: it is then stored sealed. */
  readonly isSecret?: boolean;
}

const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Runs the work of a POST in one transaction and sends its answer. With an `Idempotency-Key` (program.md 2) the answer, or the refusal 400, 404, 409 or
 * 422 that `work` throws, is stored in the same transaction and sent again to the same request within 24 hours. The same key for another request is
 * 422. While the first request runs, a second one waits, with 409 after 10 seconds. A route with a response schema must call this in an async
 * handler.
 */
export async function runIdempotent(
  deps: Pick<Deps, "db" | "clock" | "secretBox">,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx) => Promise<Answer>,
): Promise<FastifyReply> {
  const claim = claimFrom(request);
  const stored = (answer: Answer): StoredAnswer => ({
    status: answer.status,
    headers: answer.headers ?? null,
    body: answerText(reply, answer.status, answer.body),
  });
  if (claim === null) return sendAnswer(reply, await deps.db.tx(async (tx) => stored(await work(tx))));
  const run = () =>
    deps.db.tx(async (tx) => {
      const earlier = await lockAndRead(tx, deps, claim);
      if (earlier !== null) return earlier;
      let isSecret = false;
      const answer = await answerOrRefusal(tx, async (inner) => {
        const worked = await work(inner);
        isSecret = worked.isSecret === true;
        return stored(worked);
      });
      const kept = isSecret ? sealAnswer(deps, answer) : answer;
      await storeAnswers(tx, [{ claim, answer: kept }], keyTime(deps.clock));
      return answer;
    });
  return sendAnswer(reply, await withKeyedMutex(lockText(claim), run));
}

async function lockAndRead(
  tx: Tx,
  deps: Pick<Deps, "clock" | "secretBox">,
  claim: IdempotencyClaim,
): Promise<StoredAnswer | null> {
  try {
    await tx.query(LOCK_KEYS, [[lockText(claim)]]);
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) throw new Problem("idempotency_running");
    throw error;
  }
  const [stored] = await readStored(tx, [claim], keyTime(deps.clock));
  if (stored === undefined) return null;
  const replay = replayOf(claim, stored);
  if (replay === "idempotency_mismatch") throw new Problem(replay);
  return openAnswer(deps, replay);
}

/** Runs the work in a savepoint: a refusal undoes only what the work wrote, so that it can be stored. */
async function answerOrRefusal(tx: Tx, work: (inner: Tx) => Promise<StoredAnswer>): Promise<StoredAnswer> {
  try {
    return await tx.savepoint(work);
  } catch (error) {
    if (!(error instanceof Problem) || !isStored(error.status)) throw error;
    return storedRefusal(error);
  }
}

/**
 * Returns the JSON text of an answer, made by the route's compiled serialiser for its status if there is one. Text is used unchanged; a
 * bigint becomes a JSON number with all its digits.
 */
function answerText(reply: FastifyReply, status: number, body: object | string): string {
  if (typeof body === "string") return body;
  const serialize: unknown = reply.getSerializationFunction(String(status));
  if (typeof serialize !== "function") return jsonText(body);
  const text: unknown = serialize(body);
  return typeof text === "string" ? text : jsonText(body);
}

/** Returns the JSON text of any value; a bigint becomes a number with all its digits. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? rawJson(String(part)) : part));
}

function rawJson(digits: string): unknown {
  // cast: TypeScript does not know JSON.rawJSON yet, which Node has
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
}
