import type { Queryable, Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { ExpiryRules } from "../ledger/expiry/expiry.ts";
import { readUpcoming } from "../ledger/read/read-upcoming.ts";
import type { Program } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { localDate, startOfDate } from "../time/store-time.ts";
import type { Language } from "../wire/language.ts";
import type { MessageKind } from "../wire/messages.ts";
import { type ComposedMessage, composeMessage } from "./compose-message.ts";
import { dayAfter, type MessageText, monthAfter } from "./message.ts";
import { type MessageAbout, messageValues } from "./message-values.ts";
import { readMonthSums } from "./read-month-sums.ts";
import { readStandings } from "./read-standings.ts";

export interface PreviewInput {
  readonly kind: MessageKind;
  readonly language: Language;
  readonly text: MessageText;
  /** The customer whose figures are shown; null: example figures. */
  readonly customer: (CustomerRef & { readonly name: string | null }) | null;
}

export interface MessagePreview extends ComposedMessage {
  /** Whether some figures are examples, because the customer has none. */
  readonly isSample: boolean;
}

const SAMPLE_DAYS = 14;
const SAMPLE = { points: 1_240n, expiring: 300n, earned: 420n, used: 200n, expired: 50n } as const;

/** A message as a customer would get it now. Its link does not unsubscribe; it leads to a page that says so. */
export async function previewMessage(
  tx: Tx,
  deps: Pick<Deps, "config" | "clock">,
  { kind, language, text, customer }: PreviewInput,
): Promise<MessagePreview> {
  const program = await readProgram(tx);
  const now = deps.clock.now();
  const found = customer === null ? {} : await readAbout(tx, customer, { program, now });
  const about = { ...sampleAbout(localDate(now, program.store.timeZone)), ...found };
  const standings = await readStandings(tx, deps, customer === null ? [] : [customer], program);
  const top = program.tiers.rules.at(-1)?.name ?? "";
  const standing = standings.get(customer?.customerUid ?? "") ?? { points: SAMPLE.points, tier: top };
  const who = { name: customer?.name ?? null, store: program.store.name };
  const link = `${deps.config.publicUrl}/unsubscribe/example?lang=${language}`;
  const values = messageValues(who, standing, about, language);
  const lacks =
    (kind === "expiry_reminder" && found.expiry === undefined) || (kind === "statement" && found.month === undefined);
  return { ...composeMessage(text, values, { language, link }), isSample: customer === null || lacks };
}

/** The facts of the customer's next reminder and last statement, where there are any. */
async function readAbout(
  queryable: Queryable,
  customer: CustomerRef,
  { program, now }: { readonly program: Program; readonly now: Temporal.Instant },
): Promise<MessageAbout> {
  const { timeZone } = program.store;
  const rules: ExpiryRules = { ...program.expiration, timeZone };
  const first = monthAfter(localDate(now, timeZone), -1);
  const [start, end] = [startOfDate(first, timeZone), startOfDate(monthAfter(first, 1), timeZone)];
  const [current, sums] = await Promise.all([
    readUpcoming(queryable, customer, rules, now),
    readMonthSums(queryable, [customer], { start, end }),
  ]);
  const next = current?.expiries[0];
  const month = sums.get(customer.customerUid);
  return {
    ...(next && { expiry: { points: next.points, on: localDate(next.expiresAt, timeZone) } }),
    ...(month && { month: { ...month, first } }),
  };
}

function sampleAbout(today: string): MessageAbout {
  const { expiring, earned, used, expired } = SAMPLE;
  return {
    expiry: { points: expiring, on: dayAfter(today, SAMPLE_DAYS) },
    month: { first: monthAfter(today, -1), earned, used, expired },
  };
}
