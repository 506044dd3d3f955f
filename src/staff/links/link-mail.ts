import type { Language } from "../../wire/language.ts";

export type LinkKind = "invitation" | "reset";

/** The contents of a mail with a link. */
export interface LinkMailFacts {
  readonly kind: LinkKind;
  readonly language: Language;
  readonly name: string;
  /** Empty: the store has no name yet. */
  readonly store: string;
  readonly url: string;
  readonly expiresAt: Temporal.Instant;
  readonly timeZone: string;
}

interface Words {
  readonly subject: string;
  readonly hello: string;
  readonly what: string;
  readonly button: string;
  readonly until: string;
  readonly unasked: string;
}

/** The mail of an invitation or a reset, in one language, as text and HTML. Names are entered by people, so they are escaped. */
export function linkMail(facts: LinkMailFacts): { subject: string; text: string; html: string } {
  const { subject, hello, what, button, until, unasked } = facts.language === "ja" ? japanese(facts) : english(facts);
  const text = [hello, what, facts.url, until, unasked].join("\n\n");
  const link = `<a href="${escaped(facts.url)}">${escaped(button)}</a>`;
  const parts = [escaped(hello), escaped(what), link, escaped(until), escaped(unasked)];
  const body = parts.map((part) => `<p>${part}</p>`).join("\n");
  const html = `<!doctype html>\n<html lang="${facts.language}"><head><meta charset="utf-8"></head>\n<body>\n${body}\n</body></html>\n`;
  return { subject, text: `${text}\n`, html };
}

function english({ kind, name, store: given, expiresAt, timeZone }: LinkMailFacts): Words {
  const store = oneLine(given) || "Pointkeeper";
  const at = expiresAt.toZonedDateTimeISO(timeZone).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
  const isNew = kind === "invitation";
  return {
    subject: isNew ? `Your invitation to the loyalty dashboard of ${store}` : `Choose a new password for ${store}`,
    hello: `Hello ${name},`,
    what: isNew
      ? `You were invited to the loyalty dashboard of ${store}. Choose a password to begin:`
      : `An owner of ${store} reset your password. Choose a new one:`,
    button: isNew ? "Choose a password" : "Choose a new password",
    until: `The link works once, until ${at} (${timeZone}).`,
    unasked: "If you did not expect this, do nothing and tell an owner of the store.",
  };
}

function japanese({ kind, name, store: given, expiresAt, timeZone }: LinkMailFacts): Words {
  const store = oneLine(given) || "Pointkeeper";
  const at = expiresAt.toZonedDateTimeISO(timeZone).toLocaleString("ja-JP", { dateStyle: "long", timeStyle: "short" });
  const isNew = kind === "invitation";
  return {
    subject: isNew ? `【${store}】ポイント管理画面への招待` : `【${store}】パスワードの再設定`,
    hello: `${name} 様`,
    what: isNew
      ? `${store}のポイント管理画面に招待されました。次のリンクからパスワードを設定してください。`
      : `${store}のオーナーがパスワードをリセットしました。次のリンクから新しいパスワードを設定してください。`,
    button: "パスワードを設定する",
    until: `リンクは1回のみ、${at}（${timeZone}）まで有効です。`,
    unasked: "お心当たりがない場合は、何もせずにストアのオーナーへお知らせください。",
  };
}

const STORE_LENGTH_MAX = 100;

/** Limits a subject to one line of limited length. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, STORE_LENGTH_MAX)
    .toWellFormed();
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
