import { type Codec, record, textCodec } from "../db/json-codec.ts";
import { LANGUAGES, type Language } from "../wire/language.ts";
import type { MessageKind } from "../wire/messages.ts";

/** Subject and text of a message, with placeholders in braces. */
export interface MessageText {
  readonly subject: string;
  readonly text: string;
}

/** The store's texts by language; an absent language has the built-in text. */
export type MessageTexts = Readonly<Partial<Record<Language, MessageText>>>;

const text = record<MessageText>({ subject: textCodec, text: textCodec });
export const messageTexts: Codec<MessageTexts> = record<MessageTexts>({ en: text, ja: text }, LANGUAGES);

export interface MessageSetting {
  readonly kind: MessageKind;
  readonly isOn: boolean;
  /** For the reminder: the number of days before the points expire. */
  readonly daysBefore: number;
  readonly texts: MessageTexts;
}

/** What a person sets of a kind. */
export function valuesOfMessage({ isOn, daysBefore, texts }: Omit<MessageSetting, "kind">): readonly unknown[] {
  return [isOn, daysBefore, messageTexts.encode(texts)];
}

/** The settings that apply to every kind. */
export interface MessageRules {
  /** The language for customers whose own is unknown. */
  readonly language: Language;
  /** The hour of the store's day before which no message of that day is sent. */
  readonly sendHour: number;
  /** The most messages that are queued in an hour. */
  readonly hourlyMax: number;
}

export function valuesOfRules({ language, sendHour, hourlyMax }: MessageRules): readonly unknown[] {
  return [language, sendHour, hourlyMax];
}

/** The language of a customer's messages: their own where there are texts in it, otherwise the store's. */
export function languageOf(own: string | null, { language }: Pick<MessageRules, "language">): Language {
  const first = own?.split(/[-_]/, 1)[0]?.toLowerCase();
  return LANGUAGES.find((known) => known === first) ?? language;
}

/** The most minutes' worth of messages at once, so that a node that was down for a night does not send everything within a minute. */
const BURST_MINUTES = 10;

/** How many messages may be queued now; `before` of them were left `elapsedS` seconds ago, and the hourly number is spread evenly. */
export function paceBudget(before: number, elapsedS: number, hourlyMax: number): number {
  const perMinute = hourlyMax / 60;
  return Math.min(before + (Math.max(0, elapsedS) / 60) * perMinute, Math.max(1, perMinute * BURST_MINUTES));
}

/** The day of the store whose messages may be sent at a local date-time: the day before until the sending hour is reached. */
export function sendableDay(local: Temporal.PlainDateTime, sendHour: number): string {
  const date = local.toPlainDate();
  return (local.hour >= sendHour ? date : date.subtract({ days: 1 })).toString();
}

/** The day (`YYYY-MM-DD`) that is this number of days later. */
export function dayAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** The first day (`YYYY-MM-DD`) of the month that is this number of months after that of a day. */
export function monthAfter(day: string, months: number): string {
  return Temporal.PlainDate.from(day).with({ day: 1 }).add({ months }).toString();
}
