import {
  MESSAGE_SUBJECT_MAX,
  MESSAGE_TEXT_MAX,
  type MessageKind,
  PLACEHOLDERS,
  type Placeholder,
} from "../wire/messages.ts";
import type { MessageText } from "./message.ts";

/** The values of the placeholders, formatted in the language of the message. */
export type MessageValues = Readonly<Record<Placeholder, string>>;

export interface TextFault {
  readonly field: keyof MessageText;
  readonly detail: string;
}

const BRACES = /\{([^{}\n]*)\}/g;
const CONTROLS = /\p{Cc}/gu;
/** Control characters except line breaks and tabs. */
const TEXT_CONTROL = /[^\P{Cc}\n\t]/u;
const NAME_LENGTH_MAX = 80;
/**
 * Matches names that look like a web or mail address, which mail programs make a link in a mail from the store: `prize.example` alone, too. A
 * St.John without a space is greeted without the name.
 */
const ADDRESS_LIKE = /:\/\/|www\.|[\p{L}\p{N}]\.\p{L}{2,}|@/iu;

/** The reason why a text cannot be used; null where it can. An unknown placeholder is named. */
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

/** Replaces placeholders by values. A value is never treated as a template, and is kept on one line. */
export function fillText(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(BRACES, (whole, name: string) =>
    Object.hasOwn(values, name) ? oneLine(values[name] ?? "") : whole,
  );
}

/** The name for a greeting; null where none is known, or where the stored one is not usable as a name. */
export function greetingName(name: string | null): string | null {
  const line = oneLine(name ?? "").trim();
  if (line === "" || line.length > NAME_LENGTH_MAX || ADDRESS_LIKE.test(line)) return null;
  return line;
}

function oneLine(value: string): string {
  return value.replaceAll(CONTROLS, " ");
}
