import { ALERT_ADDRESSES_MAX, ALERT_KINDS, type AlertKind } from "../wire/alerts.ts";
import type { Language } from "../wire/language.ts";
import type { AlertFinding } from "./finding.ts";

/** The kinds of alerts, and where they are sent. */
export interface AlertSettings {
  readonly isOn: boolean;
  readonly kinds: readonly AlertKind[];
  readonly addresses: readonly string[];
  readonly webhookSealed: Buffer | null;
  readonly language: Language;
  /** The share of the daily limit, in percent, above which the points moved by one person are unusual. */
  readonly grantPercent: number;
}

/**
 * Kinds that stores began without. An older version fails at an alert of a kind that it does not know, so these are stored as
 * `LATER_STORED_AS`, with the kind before the subject.
 */
export const LATER_KINDS: readonly AlertKind[] = ["disk_low"];
export const LATER_STORED_AS: AlertKind = "backup_old";

/** Returns a finding's kind and subject as a row has them. */
export function storedIdentity({ kind, subject }: Pick<AlertFinding, "kind" | "subject">) {
  return LATER_KINDS.includes(kind) ? { kind: LATER_STORED_AS, subject: `${kind}/${subject}` } : { kind, subject };
}

const offMark = (kind: AlertKind) => `${kind}_off`;

/** Returns the kinds of stored settings, in their order. Later kinds are on until they are turned off. */
export function kindsOfStored(stored: readonly string[]): AlertKind[] {
  return ALERT_KINDS.filter((kind) =>
    LATER_KINDS.includes(kind) ? !stored.includes(offMark(kind)) : stored.includes(kind),
  );
}

/** Returns kinds as settings store them: of the later ones, those that are off. */
export function storedKinds(kinds: readonly AlertKind[]): string[] {
  const off = LATER_KINDS.filter((kind) => !kinds.includes(kind)).map(offMark);
  return [...kinds.filter((kind) => !LATER_KINDS.includes(kind)), ...off];
}

/** What a form replaces together. The webhook is the sealed one: nothing about its address can be learnt from a revision. */
export function valuesOfAlerts(settings: AlertSettings): readonly unknown[] {
  const { isOn, kinds, addresses, webhookSealed, language, grantPercent } = settings;
  return [isOn, kinds, addresses, language, grantPercent, webhookSealed?.toString("base64") ?? null];
}

/** The state of sending. Times are of the machine's clock. */
export interface AlertStanding {
  readonly mailedAt: Temporal.Instant | null;
  /** Why the webhook did not accept the last message; null: it did. */
  readonly webhookError: string | null;
  readonly webhookAt: Temporal.Instant | null;
}

/** What a channel has sent of an alert. */
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

/** Returns what a channel still has to send about an alert: that it began, that it is over, or both at once if it was short. */
export function unsentPart({ endedAt }: Pick<Alert, "endedAt">, sent: number): "began" | "over" | "both" {
  if (endedAt === null) return "began";
  return sent === SENT.nothing ? "both" : "over";
}

/** Returns addresses as they are stored: trimmed and without duplicates. */
export function tidyAddresses(given: readonly string[]): string[] {
  const byKey = new Map(given.map((text) => [text.trim().toLowerCase(), text.trim()]));
  byKey.delete("");
  return [...byKey.values()];
}

export const EXPECTED_ADDRESSES = `expected at most ${ALERT_ADDRESSES_MAX} e-mail addresses`;
