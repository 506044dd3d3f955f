import { findCustomer } from "../../customers/find-customer.ts";
import type { Deps } from "../../deps.ts";
import type { Credential } from "../../http/access/credential.ts";
import type { IdempotencyClaim, StoredAnswer } from "../../http/idempotency/idempotency.ts";
import { plainPosting } from "../../ledger/posting.ts";
import type { Origin, ReasonType } from "../../wire/allotment-choices.ts";
import { renderPosted } from "../posted-view.ts";
import { readOwnDates } from "./read-own-dates.ts";

interface NewAllotment {
  /** Storefront id or e-mail. */
  readonly customer: string;
  readonly point_value: number;
  readonly reason?: { readonly type: ReasonType; readonly note?: string | null | undefined } | null | undefined;
  /** Any ISO 8601 date-time or date. */
  readonly expires_at?: string | null | undefined;
  readonly earned_at?: string | null | undefined;
  readonly credential: Credential;
  /** `Prefer: return=minimal`: the documented 201 form without the balance. */
  readonly isMinimal: boolean;
  readonly claim: () => IdempotencyClaim | null;
}

/**
 * Creates an allotment (interface.md 4.6) in the next batch of the posting queue. Returns the response: 200, 201, the two refusals of
 * interface.md 7, or the earlier response for the same Idempotency-Key. A refusal writes nothing. Throws `invalid` for dates that the
 * points cannot have.
 */
export async function createAllotment(deps: Deps, input: NewAllotment): Promise<StoredAnswer> {
  const { customer: named } = input;
  const storefrontId = named.includes("@") ? (await findCustomer(deps.db, named)).storefrontId : named;
  const { credential, reason } = input;
  const dates = await readOwnDates(deps, input);
  const change = { kind: "add", pointValue: BigInt(input.point_value), shortfall: "refuse" } as const;
  const posting = {
    ...plainPosting(deps.random.uid(), "api", credential.name, change),
    origin: originOf(reason?.type),
    reasonType: reason?.type ?? null,
    note: reason?.note ?? null,
    extends: "credit",
    ...dates,
  } as const;
  return deps.postings.post({
    storefrontId,
    posting,
    claim: input.claim(),
    render: (outcome, rules, shownId) =>
      renderPosted(outcome, {
        storefrontId: shownId,
        rules,
        isMinimal: input.isMinimal,
      }),
  });
}

/** Returns the origin, for accounting, of points given through the REST API (program.md 3). */
function originOf(reason: ReasonType | undefined): Origin {
  if (reason === "compensation" || reason === "system_fix") return "compensation";
  if (reason === "fulfillment" || reason === "refund") return "sale";
  return "promotion";
}
