import { findCustomer } from "../../customers/find-customer.ts";
import type { Deps } from "../../deps.ts";
import type { Credential } from "../../http/access/credential.ts";
import type { IdempotencyClaim, StoredAnswer } from "../../http/idempotency/idempotency.ts";
import { plainPosting } from "../../ledger/posting.ts";
import { renderPosted } from "../posted-view.ts";

interface NewBalance {
  /** Storefront id or e-mail. */
  readonly customer: string;
  readonly balance: number;
  readonly credential: Credential;
  readonly claim: () => IdempotencyClaim | null;
}

/**
 * Sets a customer's available balance to the given value (interface.md 4.7), read and written under the same lock, through the posting
 * queue. The difference may be 0 and is recorded anyway. Throws 404 for an unknown customer.
 */
export async function setBalance(deps: Deps, input: NewBalance): Promise<StoredAnswer> {
  const { customer: named } = input;
  const storefrontId = named.includes("@") ? (await findCustomer(deps.db, named)).storefrontId : named;
  const change = { kind: "set", balance: BigInt(input.balance) } as const;
  return deps.postings.post({
    storefrontId,
    posting: {
      ...plainPosting(deps.random.uid(), "api", input.credential.name, change),
      origin: "promotion",
      extends: "credit",
    },
    claim: input.claim(),
    render: (outcome, rules, shownId) => renderPosted(outcome, { storefrontId: shownId, rules, isMinimal: false }),
  });
}
