import type { Param } from "../../db/encode-param.ts";
import type { CustomerRow } from "../customer.ts";

/** The columns of `PROFILE_ROWS`, by name. */
export const PROFILE_COLUMNS =
  "bucket, customer_uid, email, name, birthday, accepts_marketing, account_enabled, tags, member_versions, profile_at, consent_at, locale, name_reading";

// An array of sets of tags would have to be rectangular, so each set is passed as JSON.
/** Profiles as the rows of a statement, from the first thirteen parameters. */
export const PROFILE_ROWS =
  "unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::text[], " +
  "$9::text[], $10::timestamptz[], $11::timestamptz[], $12::text[], $13::text[])";

export function profileParams(customers: readonly CustomerRow[]): Param[] {
  return [
    customers.map((c) => c.bucket),
    customers.map((c) => c.customerUid),
    customers.map((c) => c.email),
    customers.map((c) => c.name),
    customers.map((c) => c.birthday),
    customers.map((c) => c.acceptsMarketing),
    customers.map((c) => c.accountEnabled),
    customers.map((c) => (c.tags === null ? null : JSON.stringify(c.tags))),
    customers.map((c) => JSON.stringify(c.fieldVersions)),
    customers.map((c) => c.profileAt),
    customers.map((c) => c.consentAt),
    customers.map((c) => c.locale),
    customers.map((c) => c.nameReading),
  ];
}
