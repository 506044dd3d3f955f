import type { Tx } from "../db/pool.ts";
import { customerIdName } from "../webhooks/payload-fields.ts";
import { type OutboxEvent, publishEvents } from "../webhooks/publish-events.ts";
import type { ActiveTopics } from "../webhooks/read-active-topics.ts";
import { pointAllotmentCascade } from "../webhooks/topics/point-allotment-cascade.ts";
import { pointBalanceUpdate } from "../webhooks/topics/point-balance-update.ts";
import { chainChanges } from "./chain/chain-changes.ts";
import { decideChanges } from "./decide-changes.ts";
import { writeHoldEnds } from "./holds/hold-queries.ts";
import type { CustomerChange } from "./posting.ts";
import type { BalancePostings, BatchContext, PostingDeps } from "./queue/posting-batch.ts";
import { isLong } from "./table-part.ts";
import { writeChanges } from "./write-changes.ts";

/**
 * The only writer of points, called by the entry points that src/ledger/README.md lists. Decides and writes postings of balances that this
 * transaction has locked. Returns one change per group, in their order.
 */
export async function changeBalances(
  tx: Tx,
  deps: PostingDeps,
  groups: readonly BalancePostings[],
  context: BatchContext,
): Promise<CustomerChange[]> {
  const changes = await decideChanges(tx, deps, groups, context);
  await writeHoldEnds(tx, changes);
  const written = Promise.all([
    writeChanges(tx, chainChanges(deps, groups, changes, context), context.programVersion),
    publishChanges(tx, deps, changes, context),
  ]);
  // publishing reads something before it writes, so COMMIT can follow at once only if nothing is published
  if (context.isLast === true && !isPublished(context.topics) && !isLong(changes)) tx.atCommit(written);
  else await written;
  return changes;
}

/** Whether a subscription receives changes of balances. */
function isPublished(topics: ActiveTopics): boolean {
  return topics.has("point_allotment/cascade") || topics.has("point_balance/update");
}

interface Profile {
  customerUid: string;
  storefrontId: string;
  name: string | null;
  birthday: string | null;
  acceptsMarketing: boolean | null;
  accountEnabled: boolean | null;
}

const READ_PROFILES = `select c.customer_uid as "customerUid",
  c.storefront_id as "storefrontId",
  c.name,
  c.birthday,
  c.accepts_marketing as "acceptsMarketing",
  c.account_enabled as "accountEnabled"
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join customer c on c.bucket = w.bucket and c.customer_uid = w.customer_uid`;

/**
 * Writes the outbox rows of a batch: a cascade for each allotment with points, and one balance update for each customer whose points
 * changed or, after a hold, got another date (interface.md 6.2 and 6.3). Reads nothing if there is no subscription.
 */
async function publishChanges(
  tx: Tx,
  deps: PostingDeps,
  changes: readonly CustomerChange[],
  context: BatchContext,
): Promise<void> {
  const { topics } = context;
  if (!isPublished(topics)) return;
  const moved = changes.filter(
    (change) => change.isRedated || change.allotments.some((allotment) => allotment.pointValue !== 0n),
  );
  if (moved.length === 0) return;
  const profiles = await tx.query<Profile>(READ_PROFILES, [
    moved.map((change) => change.after.bucket),
    moved.map((change) => change.after.customerUid),
  ]);
  const profileOf = new Map(profiles.map((profile) => [profile.customerUid, profile]));
  const events = moved.flatMap((change) => {
    const profile = profileOf.get(change.after.customerUid);
    if (profile === undefined) throw new Error(`customer ${change.after.customerUid} has no profile`);
    return eventsOf(change, profile, deps, context);
  });
  await publishEvents(tx, deps, topics, events);
}

function eventsOf(change: CustomerChange, profile: Profile, deps: PostingDeps, context: BatchContext): OutboxEvent[] {
  const { bucket, customerUid } = change.after;
  const idField = customerIdName(deps.config.platform);
  const cascades = change.allotments
    .filter((allotment) => allotment.pointValue !== 0n)
    .map(
      ({ version, posting, pointValue, allottedAt }): OutboxEvent => ({
        topic: "point_allotment/cascade",
        bucket,
        customerUid,
        version,
        traceparent: posting.traceparent,
        payload: pointAllotmentCascade.payload({
          allottedAt,
          customerId: profile.storefrontId,
          idField,
          pointValue,
          type: posting.type,
          uid: posting.uid,
        }),
      }),
    );
  return [...cascades, balanceUpdate(change, profile, idField, context)];
}

function balanceUpdate(change: CustomerChange, profile: Profile, idField: string, context: BatchContext): OutboxEvent {
  const { bucket, customerUid, version, ledgerPoints, heldPoints } = change.after;
  return {
    topic: "point_balance/update",
    bucket,
    customerUid,
    version,
    traceparent: change.allotments.at(-1)?.posting.traceparent,
    payload: pointBalanceUpdate.payload({
      ...profile,
      balance: ledgerPoints - heldPoints,
      customerId: profile.storefrontId,
      idField,
      pointExpirationDate: change.expiresAt,
      timeZone: context.rules.timeZone,
      uid: customerUid,
    }),
  };
}
