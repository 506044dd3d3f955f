import type { OrderFlow } from "./order-flow.ts";

interface FoundLot {
  readonly remaining: bigint;
  readonly since: Temporal.Instant;
  readonly expiresAt: Temporal.Instant | null;
  readonly origin: string;
}

const SELECT = `select l.remaining,
  l.since,
  l.expires_at as "expiresAt",
  l.origin
from lot l
join customer_alias a on a.bucket = l.bucket and a.customer_uid = l.customer_uid
where a.storefront_id = $1
order by l.since`;

/** Returns the lots of the customer to whom an id leads, oldest first. */
export function lotsOf({ deps }: Pick<OrderFlow, "deps">, id: string): Promise<FoundLot[]> {
  return deps.db.query<FoundLot>(SELECT, [id]);
}
