import type { StoredAnswer } from "../http/idempotency/idempotency.ts";
import { storedRefusal } from "../http/refusal.ts";
import type { ExpiryRules } from "../ledger/expiry/expiry.ts";
import type { QueuedOutcome } from "../ledger/queue/queued-posting.ts";
import { Problem } from "../problems.ts";
import { formatInstant } from "../time/store-time.ts";
import { balanceText } from "./balances/view.ts";

interface RenderOptions {
  readonly storefrontId: string;
  readonly rules: ExpiryRules;
  readonly isMinimal: boolean;
}

const MINIMAL = { "preference-applied": "return=minimal" };

/** Returns the answer of a created allotment (interface.md 4.6), written as text because it is the busiest answer. */
export function renderPosted(outcome: QueuedOutcome, options: RenderOptions): StoredAnswer {
  if (outcome.kind === "refused") {
    return storedRefusal(new Problem(outcome.code));
  }
  const own = `"id":"${outcome.uid}","inserted_at":"${formatInstant(outcome.allottedAt)}","point_value":${outcome.pointValue}`;
  if (options.isMinimal) return { status: 201, headers: MINIMAL, body: `{"data":{${own}}}` };
  const balance = balanceText({
    storefrontId: options.storefrontId,
    delayMonths: options.rules.delayMonths,
    expiresAt: outcome.balance.expiresAt,
    points: outcome.balance.points,
    owed: outcome.balance.owed,
  });
  return { status: 200, headers: null, body: `{"data":{${own},"uid":"${outcome.uid}","point_balance":${balance}}}` };
}
