import type { Deps } from "../deps.ts";
import { invalid, Problem } from "../problems.ts";
import { parseInstant } from "../time/store-time.ts";
import { findCustomer } from "./find-customer.ts";
import type { UpsertResult } from "./profile/patched-customers.ts";
import { ID_BYTES_MAX, ID_LENGTH_MAX, isBirthday, isShortId } from "./profile/profile-texts.ts";
import { resubscribeCustomer } from "./resubscribe-customer.ts";
import type { CustomerBody } from "./schema.ts";
import { upsertCustomer } from "./upsert-customer.ts";
import { patchOfBody } from "./view.ts";

/**
 * Creates or changes the customer that a request names (program.md 2, customers). An e-mail can only name an existing customer. Throws
 * `invalid` (422), `customer_not_found` (404, also for a deleted customer), `ambiguous_email` (409).
 */
export async function putCustomer(
  deps: Deps,
  named: string,
  { consent_updated_at: consent, ...body }: CustomerBody,
): Promise<UpsertResult> {
  if (typeof body.birthday === "string" && !isBirthday(body.birthday)) {
    throw invalid("/birthday", "expected a date that exists, as YYYY-MM-DD or --MM-DD");
  }
  const consentAt = consent === undefined ? undefined : parseInstant(consent, { timeZone: "UTC", edge: "start" });
  if (consentAt === null) throw invalid("/consent_updated_at", "expected an ISO 8601 date-time");
  if (!isShortId(named)) {
    const detail = `expected an id of at most ${ID_LENGTH_MAX} characters and ${ID_BYTES_MAX} bytes`;
    throw new Problem("invalid", { faults: [{ parameter: "id", detail }] });
  }
  return deps.db.tx(async (tx) => {
    const storefrontId = named.includes("@") ? (await findCustomer(tx, named)).storefrontId : named;
    const result = await upsertCustomer(tx, deps, patchOfBody(storefrontId, body, consentAt));
    if (result.customer.deletedAt !== null) throw new Problem("customer_not_found");
    if (consentAt === undefined) await resubscribeCustomer(tx, result);
    return result;
  });
}
