import { revisionOf } from "../../http/revision.ts";
import type { LoggedMail, MailLogFilter } from "../../mail/mail-queries.ts";
import { BUILT_IN_TEXTS } from "../../messages/built-in-texts.ts";
import { textOfKind } from "../../messages/compose-message.ts";
import { type MessageRules, type MessageSetting, valuesOfMessage, valuesOfRules } from "../../messages/message.ts";
import { formatInstant } from "../../time/store-time.ts";
import { LANGUAGES, type Language } from "../../wire/language.ts";
import { MESSAGE_KINDS } from "../../wire/messages.ts";
import type { MailFilterQuery, MailRow, MessageInput, ShownMessage, ShownMessages } from "./schema.ts";

/** The settings of all kinds, as the page shows them. */
export function messagesView(
  settings: readonly MessageSetting[],
  rules: MessageRules,
  hasMail: boolean,
): ShownMessages {
  const { language, sendHour, hourlyMax } = rules;
  return {
    language,
    send_hour: sendHour,
    hourly_max: hourlyMax,
    revision: revisionOf(valuesOfRules(rules)),
    has_mail: hasMail,
    messages: MESSAGE_KINDS.flatMap((kind) => settings.filter((setting) => setting.kind === kind).map(messageView)),
  };
}

function messageView(setting: MessageSetting): ShownMessage {
  const { kind, isOn, daysBefore, texts } = setting;
  const shown = (language: Language) => ({
    ...textOfKind(kind, texts, language),
    is_own: texts[language] !== undefined,
  });
  return {
    kind,
    is_on: isOn,
    days_before: daysBefore,
    texts: { en: shown("en"), ja: shown("ja") },
    built_in: BUILT_IN_TEXTS[kind],
    revision: revisionOf(valuesOfMessage(setting)),
  };
}

/** Returns the settings of a body. A text that equals the built-in one is not stored, so that it follows later releases. */
export function settingOf(kind: MessageSetting["kind"], body: MessageInput): MessageSetting {
  const own = LANGUAGES.flatMap((language) => {
    const text = body.texts[language];
    const built = BUILT_IN_TEXTS[kind][language];
    const isBuiltIn = text === undefined || (text.subject === built.subject && text.text === built.text);
    return isBuiltIn ? [] : [[language, { subject: text.subject.trim(), text: text.text.replaceAll("\r\n", "\n") }]];
  });
  return { kind, isOn: body.is_on, daysBefore: body.days_before, texts: Object.fromEntries(own) };
}

/** Returns the filter of a query of the log of mails. */
export function mailFilterOf({ about, state, to }: MailFilterQuery): MailLogFilter {
  return { category: about, state, recipient: to?.trim() || undefined };
}

/** A line of the log of mails. */
export function mailView(mail: LoggedMail): MailRow {
  const { uid, category, recipient, customerId, subject, state, createdAt, endedAt, attempts, error } = mail;
  return {
    uid,
    about: category,
    to: recipient,
    customer_id: customerId,
    subject,
    state,
    queued_at: formatInstant(createdAt),
    ended_at: endedAt === null ? null : formatInstant(endedAt),
    attempts,
    error,
  };
}
