import type { Tx } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";

/** The customer to whom a row's text refers. */
export type Resolved = CustomerRef | "customer_unknown" | "customer_ambiguous";

const BY_ID = `select k.named,
  a.bucket,
  a.customer_uid as "customerUid"
from unnest($1::text[]) as k (named)
join customer_alias a on a.storefront_id = k.named
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
where c.deleted_at is null`;

const BY_EMAIL = `select k.named,
  c.bucket,
  c.customer_uid as "customerUid"
from unnest($1::text[]) as k (named)
join customer c on c.email = k.named
where c.deleted_at is null`;

interface Found extends CustomerRef {
  readonly named: string;
}

/** Returns the customers by text: by e-mail (in lower case) if the text has an "@", otherwise by storefront id (program.md 1). */
export async function resolveCustomers(
  tx: Pick<Tx, "query">,
  named: readonly string[],
): Promise<Map<string, Resolved>> {
  const texts = [...new Set(named)];
  const emails = texts.filter((text) => text.includes("@"));
  const ids = texts.filter((text) => !text.includes("@"));
  const [byId, byEmail] = await Promise.all([
    ids.length === 0 ? [] : tx.query<Found>(BY_ID, [ids]),
    emails.length === 0 ? [] : tx.query<Found>(BY_EMAIL, [emails]),
  ]);
  const resolved = new Map<string, Resolved>(texts.map((text) => [text, "customer_unknown"]));
  for (const { named: text, bucket, customerUid } of [...byId, ...byEmail]) {
    const isSecond = resolved.get(text) !== "customer_unknown";
    resolved.set(text, isSecond ? "customer_ambiguous" : { bucket, customerUid });
  }
  return resolved;
}
