import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { TierRule } from "../program/program.ts";
import { presentTier } from "../tiers/tier-update.ts";
import { localDate } from "../time/store-time.ts";
import type { DueMessage, FindContext, FoundMessages } from "./due-message.ts";
import { dayAfter } from "./message.ts";
import { lockMessageRun, lockRecipients } from "./message-queries.ts";

const KIND = "tier_reached";
/** After this number of days a change of tier is not reported any more. */
const FRESH_DAYS = 7;
const KEPT_DAYS = 60;

interface TierChange extends CustomerRef {
  readonly uid: string;
  readonly fromUid: string | null;
  readonly toUid: string | null;
  /** The customer's present tier; null where none was ever set. */
  readonly presentUid: string | null;
  readonly changedAt: Temporal.Instant;
}

const TAKE = `select h.uid, h.bucket, h.customer_uid as "customerUid", h.from_uid as "fromUid", h.to_uid as "toUid",
  h.changed_at as "changedAt", t.tier_uid as "presentUid"
from message_tier_change h
left join customer_tier t on t.bucket = h.bucket and t.customer_uid = h.customer_uid
order by h.uid
limit $1
for update of h`;

/** The next changes of tier. A message is due for customers who moved up and are still in that tier; other changes get none. */
export async function findTierMessages(tx: Tx, context: FindContext): Promise<FoundMessages> {
  const { program, now, room } = context;
  const { timeZone } = program.store;
  await lockMessageRun(tx, KIND);
  const changes = await tx.query<TierChange>(TAKE, [room]);
  const fresh = dayAfter(localDate(now, timeZone), -FRESH_DAYS);
  const reached = new Map(
    changes
      .filter((change) => isReached(change, program.tiers.rules) && localDate(change.changedAt, timeZone) >= fresh)
      .map((change) => [change.customerUid, change]),
  );
  const recipients = await lockRecipients(tx, [...reached.values()]);
  await tx.execute("delete from message_tier_change where uid = any($1::uuid[])", [changes.map(({ uid }) => uid)]);
  const due = recipients.flatMap((recipient): DueMessage[] => {
    const change = reached.get(recipient.customerUid);
    if (change === undefined) return [];
    const day = localDate(change.changedAt, timeZone);
    const occasion = { occasion: `${change.toUid}/${day}`, forgetOn: dayAfter(day, KEPT_DAYS) };
    return [{ recipient, occasion, about: {}, expiresAt: now.add({ hours: FRESH_DAYS * 24 }) }];
  });
  return { due, isDone: changes.length < room };
}

/** Whether a change moved the customer up, by the present rules, to the tier in which they still are. */
function isReached({ fromUid, toUid, presentUid }: TierChange, rules: readonly TierRule[]): boolean {
  if (toUid === null || toUid !== presentUid) return false;
  const to = rules.findIndex(({ uid }) => uid === toUid);
  return to > rules.indexOf(presentTier(rules, fromUid));
}
