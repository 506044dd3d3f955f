import { MAIL_CATEGORY_NAMES } from "../wire/mails.ts";

export type MailCategory = (typeof MAIL_CATEGORY_NAMES)[number];

export interface MailAttachment {
  readonly name: string;
  /** The content type, for example `text/csv; charset=utf-8`. */
  readonly type: string;
  readonly content: Buffer;
}

/** The mail that a feature passes to `enqueueMail`. */
export interface Mail {
  /** Identifies content and recipient: `reset/<uid of the link>`. A second mail with the same key is not sent while the log has the first. */
  readonly idempotencyKey: string;
  readonly category: MailCategory;
  /** One address, without a name. */
  readonly to: string;
  /** Stays in the log, so it contains no secret and nothing that an owner may not read. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** By the business clock: from this instant on it is not sent any more. Absent: it never expires. */
  readonly expiresAt?: Temporal.Instant | undefined;
  /** For a mail that a person did not request: the unsubscribe link. Sets List-Unsubscribe with one click (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined;
  readonly attachments?: readonly MailAttachment[] | undefined;
  /** The customer of the mail; it is deleted when the customer is erased. */
  readonly customer?: { readonly bucket: number; readonly customerUid: string } | undefined;
}

/** The content that is stored encrypted while a mail waits. Fields may only be added. */
export interface MailContent {
  readonly text: string;
  readonly html: string;
  readonly unsubscribeUrl?: string | undefined;
  readonly attachments?:
    | readonly { readonly name: string; readonly type: string; readonly base64: string }[]
    | undefined;
}

/** The most waiting mails, by category; mails to staff are still accepted when those to customers have reached their limit. */
const WAITING_MAX: Readonly<Record<MailCategory, number>> = {
  access: 12_000,
  test: 12_000,
  alert: 11_000,
  report: 11_000,
  customer: 10_000,
};
const MAIL_BYTES_MAX = 8 * 1_048_576;
const SUBJECT_LENGTH_MAX = 200;
const KEY_LENGTH_MAX = 255;
const ATTACHMENTS_MAX = 10;
const ADDRESS = /^[^\s@<>",;:()[\]\\\p{Cc}]{1,64}@[^\s@<>",;:()[\]\\\p{Cc}]{1,255}$/u;
const CONTROL = /\p{Cc}/u;

/** The number of waiting mails of all categories at which a mail of this category is refused. */
export function waitingMax(category: MailCategory): number {
  return WAITING_MAX[category];
}

/** The priority of a category in the queue. */
export function priorityOf(category: MailCategory): number {
  return MAIL_CATEGORY_NAMES.indexOf(category);
}

/** Whether a text is a single address to which a mail may be sent. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** The fault of a mail; null where there is none. A header ends at a line break, so no part of a header may contain one. */
export function mailFault(mail: Mail): string | null {
  const { idempotencyKey, to, subject, attachments = [], unsubscribeUrl } = mail;
  if (idempotencyKey === "" || idempotencyKey.length > KEY_LENGTH_MAX) return "its key has 1 to 255 characters";
  if (!isMailAddress(to)) return "the recipient is one e-mail address";
  if (subject.trim() === "" || subject.length > SUBJECT_LENGTH_MAX || CONTROL.test(subject))
    return `the subject is one line of at most ${SUBJECT_LENGTH_MAX} characters`;
  if (attachments.length > ATTACHMENTS_MAX) return `at most ${ATTACHMENTS_MAX} attachments`;
  if (
    attachments.some(({ name, type }) => CONTROL.test(name) || CONTROL.test(type) || name.length > SUBJECT_LENGTH_MAX)
  )
    return "names and types of attachments are one line";
  if (unsubscribeUrl !== undefined && !(URL.canParse(unsubscribeUrl) && /^https?:\/\/[^\s<>]+$/.test(unsubscribeUrl)))
    return "the unsubscribe address is http or https";
  return mailBytes(mail) > MAIL_BYTES_MAX ? `at most ${MAIL_BYTES_MAX} bytes` : null;
}

function mailBytes({ text, html, attachments = [] }: Mail): number {
  const words = Buffer.byteLength(text) + Buffer.byteLength(html);
  return attachments.reduce((sum, { content }) => sum + content.length, words);
}

/** Formats the content for encryption. */
export function contentText({ text, html, unsubscribeUrl, attachments = [] }: Mail): string {
  const content: MailContent = {
    text,
    html,
    unsubscribeUrl,
    attachments: attachments.map(({ name, type, content: bytes }) => ({
      name,
      type,
      base64: bytes.toString("base64"),
    })),
  };
  return JSON.stringify(content);
}

export function contentOf(text: string): MailContent {
  return JSON.parse(text) as MailContent; // cast: written by `contentText` and encrypted since
}

/** The delay after the n-th failed attempt, in seconds; after more failures, about two days after the first, the mail is given up. */
const RETRIES_S = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600, 43_200, 43_200];

/** Seconds until the next attempt; null after the last one. `attempts` includes the one that failed. */
export function mailRetryS(attempts: number): number | null {
  return RETRIES_S[attempts - 1] ?? null;
}

/** How an attempt failed. `refused`: the server never accepts this mail; `later`: not now; `server`: no mail can be sent at the moment. */
export type MailFailureKind = "refused" | "later" | "server";

export interface MailFailure {
  readonly kind: MailFailureKind;
  /** For the log of mails: the code and the first line of the server's answer, or of why there is none. */
  readonly text: string;
}

/** The fields of nodemailer's errors that are used. */
interface SmtpError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
  readonly message?: unknown;
}

/** Error codes that concern a single mail; with every other code the next mail would fail as well. */
const MAIL_CODES = new Set(["EENVELOPE", "EMESSAGE", "EMAXRECIPIENTS"]);
/** Codes of connections that never were or broke: the message is of the system or of TLS, not of a server that answered. */
const CONNECTION_CODES = new Set(["ECONNECTION", "EDNS", "ESOCKET", "ETIMEDOUT", "ETLS"]);
const FAILURE_LENGTH_MAX = 300;

/**
 * Classifies the error of an attempt. A 5yz reply to an envelope or a message is final, except 503, which reports a wrong session state.
 * Where signing in fails the settings are wrong, and mails are kept.
 */
export function mailFailureOf(error: unknown): MailFailure {
  const { code, responseCode, response, message } = (error ?? {}) as SmtpError; // cast: fields are looked at before they are used
  const name = typeof code === "string" ? code : "error";
  const reply = typeof responseCode === "number" ? responseCode : null;
  const answer = response ?? (CONNECTION_CODES.has(name) ? message : undefined);
  const line = typeof answer === "string" ? (answer.split(/[\r\n]/, 1)[0] ?? "") : "";
  const text = [name, line === "" ? reply : line].filter((part) => part !== null).join(": ");
  const isFinal = reply !== null && reply >= 500 && reply < 600 && reply !== 503;
  const kind = !MAIL_CODES.has(name) || reply === 421 ? "server" : isFinal ? "refused" : "later";
  return {
    kind,
    text: text
      .replaceAll(/\p{Cc}/gu, " ")
      .slice(0, FAILURE_LENGTH_MAX)
      .toWellFormed(),
  };
}
