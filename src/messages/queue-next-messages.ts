import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { enqueueMails } from "../mail/enqueue-mails.ts";
import { isMailAddress, type Mail } from "../mail/mail.ts";
import { readMailCapacity } from "../mail/read-mail-capacity.ts";
import { readProgram } from "../program/read-program.ts";
import { localDate } from "../time/store-time.ts";
import type { MessageKind } from "../wire/messages.ts";
import { composeMessage, textOfKind } from "./compose-message.ts";
import type { DueMessage, FindContext, FoundMessages } from "./due-message.ts";
import { ensureLinkKey } from "./ensure-link-key.ts";
import { findBirthdayMessages } from "./find-birthday-messages.ts";
import { findExpiryReminders } from "./find-expiry-reminders.ts";
import { findStatements } from "./find-statements.ts";
import { findTierMessages } from "./find-tier-messages.ts";
import { languageOf, sendableDay } from "./message.ts";
import { claimOccasions, lockPace, savePace, selectMessageRules, selectMessageSetting } from "./message-queries.ts";
import { messageValues } from "./message-values.ts";
import { readStandings } from "./read-standings.ts";
import { unsubscribeToken } from "./unsubscribe-token.ts";

/** Messages per transaction. */
const BATCH = 100;

const FINDERS: Readonly<Record<MessageKind, (tx: Tx, context: FindContext) => Promise<FoundMessages>>> = {
  expiry_reminder: findExpiryReminders,
  tier_reached: findTierMessages,
  birthday: findBirthdayMessages,
  statement: findStatements,
};

/** The number of queued messages, and whether nothing is left for now: nothing is due, or no more may be queued. */
export interface QueuedBatch {
  readonly queued: number;
  readonly isOver: boolean;
}

type QueueDeps = Pick<Deps, "config" | "clock" | "random" | "secretBox" | "wake">;

/**
 * Queues the next messages of a kind and records their occasions in one transaction. Only one node does this at a time. The number is limited
 * by the hourly limit and by the room in the mail queue.
 */
export async function queueNextMessages(tx: Tx, deps: QueueDeps, kind: MessageKind): Promise<QueuedBatch> {
  const setting = await selectMessageSetting(tx, kind, "share");
  if (!setting.isOn) return { queued: 0, isOver: true };
  const rules = await selectMessageRules(tx);
  const budget = await lockPace(tx, rules);
  const room = Math.min(BATCH, Math.floor(budget), await readMailCapacity(tx, "customer"));
  if (room < 1) return { queued: 0, isOver: true };
  const program = await readProgram(tx);
  const now = deps.clock.now();
  const { timeZone } = program.store;
  const local = now.toZonedDateTimeISO(timeZone).toPlainDateTime();
  const context: FindContext = {
    ...{ setting, rules, program, now, room },
    today: localDate(now, timeZone),
    sendable: sendableDay(local, rules.sendHour),
  };
  const { due, isDone } = await FINDERS[kind](tx, context);
  const queued = await queueDue(tx, deps, context, due);
  await savePace(tx, budget - queued);
  return { queued, isOver: isDone };
}

async function queueDue(tx: Tx, deps: QueueDeps, context: FindContext, due: readonly DueMessage[]): Promise<number> {
  if (due.length === 0) return 0;
  const { setting, program, now } = context;
  const { kind } = setting;
  const occasions = due.map(({ recipient: { bucket, customerUid }, occasion }) => ({
    bucket,
    customerUid,
    ...occasion,
  }));
  const claimed = await claimOccasions(tx, kind, occasions, now);
  const first = due.filter(({ recipient: { customerUid, email } }) => claimed.has(customerUid) && isMailAddress(email));
  const refs = first.map(({ recipient }) => recipient);
  const standings = await readStandings(tx, deps, refs, program);
  const key = await ensureLinkKey(tx, deps);
  const mails = first.map((message): Mail => {
    const { recipient, occasion, about, expiresAt } = message;
    const { bucket, customerUid, email: to } = recipient;
    const language = languageOf(recipient.locale, context.rules);
    const link = `${deps.config.publicUrl}/unsubscribe/${unsubscribeToken(key, recipient)}?lang=${language}`;
    const standing = standings.get(customerUid) ?? { points: 0n, tier: "" };
    const values = messageValues({ name: recipient.name, store: program.store.name }, standing, about, language);
    const composed = composeMessage(textOfKind(kind, setting.texts, language), values, { language, link });
    const idempotencyKey = `message/${kind}/${customerUid}/${occasion.occasion}`;
    const customer = { bucket, customerUid };
    return { ...composed, idempotencyKey, category: "customer", to, expiresAt, unsubscribeUrl: link, customer };
  });
  return await enqueueMails(tx, deps, mails);
}
