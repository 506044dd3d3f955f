import { htmlOfText } from "../mail/html-of-text.ts";
import type { Language } from "../wire/language.ts";
import type { MessageKind } from "../wire/messages.ts";
import { BUILT_IN_TEXTS, FOOTERS } from "./built-in-texts.ts";
import type { MessageText, MessageTexts } from "./message.ts";
import { fillText, type MessageValues } from "./template.ts";

/** A message in the form in which it is mailed. */
export interface ComposedMessage extends MessageText {
  readonly html: string;
}

const MAILED_SUBJECT_MAX = 190;

/** The text of a kind in a language: the store's own, otherwise the built-in one. */
export function textOfKind(kind: MessageKind, texts: MessageTexts, language: Language): MessageText {
  return texts[language] ?? BUILT_IN_TEXTS[kind][language];
}

/** Fills a text with values and adds the unsubscribe link below it. In the HTML everything except links is escaped. */
export function composeMessage(
  { subject, text }: MessageText,
  values: MessageValues,
  { language, link }: { readonly language: Language; readonly link: string },
): ComposedMessage {
  const body = `${fillText(text, values).trim()}\n\n${FOOTERS[language](fillText("{store}", values), link)}\n`;
  const line = fillText(subject, values).trim().slice(0, MAILED_SUBJECT_MAX).toWellFormed();
  return { subject: line === "" ? "—" : line, text: body, html: htmlOfText(body) };
}
