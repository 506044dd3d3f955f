import { createHash } from "node:crypto";
import type { Deps } from "../deps.ts";
import {
  keyTime,
  LOCK_KEYS,
  lockText,
  readStored,
  type StoredAnswer,
  storeAnswers,
} from "../http/idempotency/idempotency.ts";
import { withKeyedMutex } from "../http/keyed-mutex.ts";
import { logRarely } from "../http/log-rarely.ts";
import { readBalances } from "../ledger/read/read-balances.ts";
import { type Json, parseJsonSource } from "../platforms/json-source.ts";
import { type FlowAdjustment, flowShop, readFlowAction } from "../platforms/shopify/flow-action.ts";
import { verifySignature } from "../platforms/shopify/verify.ts";
import { Problem } from "../problems.ts";
import { UNSIGNED } from "./headers.ts";
import { postFlow } from "./post-flow.ts";
import type { PlatformRequest } from "./receive-delivery.ts";

const PLATFORM = "shopify";
const BUSY_RETRY_S = 2;
/** The runs' keys belong to no credential: the platform signs the requests. */
const NO_CREDENTIAL = "00000000-0000-0000-0000-000000000000";

/**
 * Executes a run of our Flow action (platforms.md 2): checks the signature over the raw bytes and the signed shop, adjusts the points once
 * per run, in one transaction, and returns the same answer to every repetition. A 4xx ends the run, with its reason; after 503 (the
 * database is unavailable, or the run is still being processed) Flow repeats it. Throws `unauthorized`, `invalid_json`, `invalid`,
 * `customer_not_found`, `ambiguous_email`, `negative_balance`, `balance_limit`, `unavailable`.
 */
export async function runFlowAction(
  deps: Pick<Deps, "config" | "db" | "clock" | "random" | "log" | "wake" | "secretBox">,
  request: PlatformRequest,
): Promise<StoredAnswer> {
  const { adjustment, faults } = readFlowAction(authenticate(deps, request));
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const scope = "POST /intake/shopify/flow";
  const fingerprint = createHash("sha256").update(adjustment.runId).digest();
  const claim = { credentialUid: NO_CREDENTIAL, scope, key: adjustment.runId, fingerprint };
  const run = () =>
    deps.db.tx(async (tx) => {
      await tx.query(LOCK_KEYS, [[lockText(claim)]]);
      const [stored] = await readStored(tx, [claim], keyTime(deps.clock));
      if (stored !== undefined) return stored.answer;
      const { customer, pointValue } = await postFlow(tx, deps, adjustment, `${PLATFORM}_integration`);
      const balance = (await readBalances(deps, tx, [customer])).get(customer.customerUid);
      const answer = answerOf(pointValue, balance?.points ?? 0n);
      await storeAnswers(tx, [{ claim, answer }], keyTime(deps.clock));
      return answer;
    });
  return withKeyedMutex(lockText(claim), run).catch((error: unknown) => {
    const isBusy = error instanceof Problem && error.code === "idempotency_running";
    throw isBusy ? new Problem("unavailable", { retryAfterS: BUSY_RETRY_S }) : error;
  });
}

function authenticate(deps: Pick<Deps, "config" | "log">, { headers, rawBody }: PlatformRequest): Json {
  const { secrets, shop } = deps.config.platforms.shopify;
  const verdict = verifySignature(headers, rawBody, secrets);
  if (verdict !== "ok") {
    logRarely(deps.log, { reason: secrets.length === 0 ? "no secret is set" : verdict }, "Flow action refused");
    throw new Problem("unauthorized", UNSIGNED);
  }
  const body = parseJsonSource(rawBody);
  if (!body.ok) throw new Problem("invalid_json", { faults: [{ detail: body.fault }] });
  if (shop !== undefined && flowShop(body.value) !== shop) {
    logRarely(deps.log, { reason: "another shop" }, "Flow action refused");
    throw new Problem("unauthorized", UNSIGNED);
  }
  return body.value;
}

function answerOf(pointValue: FlowAdjustment["pointValue"], balance: bigint): StoredAnswer {
  const body = `{"return_value":{"point_value":${pointValue},"point_balance":${balance}}}`;
  return { status: 200, headers: null, body };
}
