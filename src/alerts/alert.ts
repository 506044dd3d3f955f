import { ALERT_ADDRESSES_MAX, type AlertKind } from "../wire/alerts.ts";
import type { Language } from "../wire/language.ts";
import type { AlertFinding } from "./finding.ts";

/** Of what people are notified, and where. */
export interface AlertSettings {
  readonly isOn: boolean;
  readonly kinds: readonly AlertKind[];
  readonly addresses: readonly string[];
  readonly webhookSealed: Buffer | null;
  readonly language: Language;
  /** More than this share of the daily limit, moved by one person, is unusual. */
  readonly grantPercent: number;
}

/** How sending stands. Times are of the machine's clock. */
export interface AlertStanding {
  readonly mailedAt: Temporal.Instant | null;
  /** Why the webhook did not take the last message; null: it did. */
  readonly webhookError: string | null;
  readonly webhookAt: Temporal.Instant | null;
}

/** What a channel has of an alert. */
export const SENT = { nothing: 0, began: 1, over: 2 } as const;

/** An alert of the log. Times are of the machine's clock. */
export interface Alert extends AlertFinding {
  readonly uid: string;
  readonly beganAt: Temporal.Instant;
  /** Null: it is still found. */
  readonly endedAt: Temporal.Instant | null;
  readonly mailed: number;
  readonly posted: number;
}

/** What a channel still has to say of an alert: that it began, that it is over, or both at once where it was short. */
export function unsentPart({ endedAt }: Pick<Alert, "endedAt">, sent: number): "began" | "over" | "both" {
  if (endedAt === null) return "began";
  return sent === SENT.nothing ? "both" : "over";
}

/** Addresses as they are stored: without spaces, each once. */
export function tidyAddresses(given: readonly string[]): string[] {
  const byKey = new Map(given.map((text) => [text.trim().toLowerCase(), text.trim()]));
  byKey.delete("");
  return [...byKey.values()];
}

export const EXPECTED_ADDRESSES = `expected at most ${ALERT_ADDRESSES_MAX} e-mail addresses`;
