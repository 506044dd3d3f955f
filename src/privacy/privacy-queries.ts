import type { Queryable } from "../db/pool.ts";

/** A request of a platform that a person has to answer or to confirm. */
export interface PrivacyRequest {
  readonly uid: string;
  readonly kind: "customer_data" | "shop_redaction";
  /** The platform's id for the request, or for the shop. */
  readonly reference: string;
  /** The customer whose data is meant; null: the whole shop. */
  readonly storefrontId: string | null;
  readonly orderIds: readonly string[];
  readonly requestedAt: Temporal.Instant;
}

const INSERT = `insert into privacy_request (uid, kind, reference, storefront_id, order_ids, requested_at)
values ($1, $2, $3, $4, $5, $6)
on conflict (kind, reference) do nothing`;

/** Stores a request; does nothing if it is already stored. */
export async function insertPrivacyRequest(queryable: Queryable, request: PrivacyRequest): Promise<void> {
  const { uid, kind, reference, storefrontId, orderIds, requestedAt } = request;
  await queryable.execute(INSERT, [uid, kind, reference, storefrontId, orderIds, requestedAt]);
}

const SELECT_OPEN = `select r.uid,
  r.kind,
  r.reference,
  r.storefront_id as "storefrontId",
  r.order_ids as "orderIds",
  r.requested_at as "requestedAt"
from privacy_request r
where r.done_at is null
order by r.requested_at, r.uid`;

/** Returns the open requests, oldest first. */
export function selectOpenRequests(queryable: Queryable): Promise<PrivacyRequest[]> {
  return queryable.query<PrivacyRequest>(SELECT_OPEN);
}

const CLOSE = `update privacy_request
set done_at = $3,
  done_by = $4
where kind = $1
  and reference = $2
  and done_at is null`;

/** Marks a request as done; false: there is no such open request. */
export async function closeRequest(
  queryable: Queryable,
  { kind, reference }: Pick<PrivacyRequest, "kind" | "reference">,
  done: { readonly at: Temporal.Instant; readonly by: string },
): Promise<boolean> {
  return (await queryable.execute(CLOSE, [kind, reference, done.at, done.by])) === 1;
}
