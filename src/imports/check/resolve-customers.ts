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

/**
 * Returns the customers by text, as `selectNamed` does (program.md 1): by storefront id, or by e-mail in any case if the text has an "@". A text that
 * is the id of one customer and the e-mail of another is ambiguous. `exactIds`: by storefront id only.
 */
export async function resolveCustomers(
  tx: Pick<Tx, "query">,
  named: readonly string[],
  { exactIds }: { readonly exactIds: boolean },
): Promise<Map<string, Resolved>> {
  const texts = [...new Set(named)];
  const emails = exactIds ? [] : [...new Set(texts.filter((text) => text.includes("@")).map(lowerCase))];
  const [byId, byEmail] = await Promise.all([
    texts.length === 0 ? [] : tx.query<Found>(BY_ID, [texts]),
    emails.length === 0 ? [] : tx.query<Found>(BY_EMAIL, [emails]),
  ]);
  const ofId = Map.groupBy(byId, ({ named: text }) => text);
  const ofEmail = Map.groupBy(byEmail, ({ named: text }) => text);
  return new Map(
    texts.map((text) => [text, onlyOf([...(ofId.get(text) ?? []), ...(ofEmail.get(lowerCase(text)) ?? [])])]),
  );
}

function onlyOf(found: readonly Found[]): Resolved {
  const [first] = found;
  if (first === undefined) return "customer_unknown";
  const { bucket, customerUid } = first;
  return found.every((one) => one.customerUid === customerUid) ? { bucket, customerUid } : "customer_ambiguous";
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
