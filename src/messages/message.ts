import { type Codec, record, textCodec } from "../db/json-codec.ts";
import { LANGUAGES, type Language } from "../wire/language.ts";
import type { MessageKind } from "../wire/messages.ts";

/** Subject and text of a message, with placeholders in braces. */
export interface MessageText {
  readonly subject: string;
  readonly text: string;
}

/** By language; one that is absent has the built-in text. */
export type MessageTexts = Readonly<Partial<Record<Language, MessageText>>>;

const text = record<MessageText>({ subject: textCodec, text: textCodec });
export const messageTexts: Codec<MessageTexts> = record<MessageTexts>({ en: text, ja: text }, LANGUAGES);

export interface MessageSetting {
  readonly kind: MessageKind;
  readonly isOn: boolean;
  /** Of the reminder: how long before the points expire. */
  readonly daysBefore: number;
  readonly texts: MessageTexts;
}

/** What holds for every kind. */
export interface MessageRules {
  /** Of customers whose own is not known. */
  readonly language: Language;
  /** Nothing of a day of the store is sent before this hour of it. */
  readonly sendHour: number;
  /** So many messages are queued in an hour, at most. */
  readonly hourlyMax: number;
}

/** The language of a customer's messages: their own where there are texts in it, else the store's. */
export function languageOf(own: string | null, { language }: Pick<MessageRules, "language">): Language {
  const first = own?.split(/[-_]/, 1)[0]?.toLowerCase();
  return LANGUAGES.find((known) => known === first) ?? language;
}

/** Messages of at most so much time at once: a node that was down for a night does not make up for it in a minute. */
const BURST_MINUTES = 10;

/** How many messages may be queued at a moment, as a share of an hour goes by; `elapsedS` since `before` was left over. */
export function paceBudget(before: number, elapsedS: number, hourlyMax: number): number {
  const perMinute = hourlyMax / 60;
  return Math.min(before + (Math.max(0, elapsedS) / 60) * perMinute, Math.max(1, perMinute * BURST_MINUTES));
}

/** The day of the store whose messages may be sent at a local date-time: the day before until the hour has come. */
export function sendableDay(local: Temporal.PlainDateTime, sendHour: number): string {
  const date = local.toPlainDate();
  return (local.hour >= sendHour ? date : date.subtract({ days: 1 })).toString();
}

/** `YYYY-MM-DD`, so many days later. */
export function dayAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** The first day of the month, so many months later than that of a day. */
export function monthAfter(day: string, months: number): string {
  return Temporal.PlainDate.from(day).with({ day: 1 }).add({ months }).toString();
}
