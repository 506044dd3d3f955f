import {
  MESSAGE_SUBJECT_MAX,
  MESSAGE_TEXT_MAX,
  type MessageKind,
  PLACEHOLDERS,
  type Placeholder,
} from "../wire/messages.ts";
import type { MessageText } from "./message.ts";

/** What placeholders stand for, written in the language of the message. */
export type MessageValues = Readonly<Record<Placeholder, string>>;

/** What is wrong with a text. */
export interface TextFault {
  readonly field: keyof MessageText;
  readonly detail: string;
}

const BRACES = /\{([^{}\n]*)\}/g;
const CONTROLS = /\p{Cc}/gu;
/** Controls but line breaks and tabs. */
const TEXT_CONTROL = /[^\P{Cc}\n\t]/u;
const NAME_LENGTH_MAX = 80;
/** A name that is an address of a page would become a link in a mail that the store signs. */
const ADDRESS_LIKE = /:\/\/|www\.|\.[a-z]{2,}\/|@/i;

/** Why a text cannot be used; null: it can. An unknown placeholder is named. */
export function textFault(kind: MessageKind, { subject, text }: MessageText): TextFault | null {
  if (subject.trim() === "" || subject.length > MESSAGE_SUBJECT_MAX || /\p{Cc}/u.test(subject))
    return { field: "subject", detail: `expected one line of 1 to ${MESSAGE_SUBJECT_MAX} characters` };
  if (text.trim() === "" || text.length > MESSAGE_TEXT_MAX)
    return { field: "text", detail: `expected 1 to ${MESSAGE_TEXT_MAX} characters` };
  if (TEXT_CONTROL.test(text)) return { field: "text", detail: "expected no control characters but line breaks" };
  for (const [field, value] of Object.entries({ subject, text } as const)) {
    const unknown = unknownPlaceholder(kind, value);
    if (unknown === null) continue;
    const known = PLACEHOLDERS[kind].map((name) => `{${name}}`).join(", ");
    return { field: field === "subject" ? "subject" : "text", detail: `{${unknown}} is not known here: use ${known}` };
  }
  return null;
}

function unknownPlaceholder(kind: MessageKind, value: string): string | null {
  const known: readonly string[] = PLACEHOLDERS[kind];
  for (const [, name = ""] of value.matchAll(BRACES)) if (!known.includes(name)) return name.slice(0, 50);
  return null;
}

/** Puts values in place of placeholders. A value is never read as a template itself, and is one line. */
export function fillText(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(BRACES, (whole, name: string) =>
    Object.hasOwn(values, name) ? oneLine(values[name] ?? "") : whole,
  );
}

/** The name as a greeting has it; null: none is known, or what is known is no name. */
export function greetingName(name: string | null): string | null {
  const line = oneLine(name ?? "").trim();
  if (line === "" || line.length > NAME_LENGTH_MAX || ADDRESS_LIKE.test(line)) return null;
  return line;
}

function oneLine(value: string): string {
  return value.replaceAll(CONTROLS, " ");
}
