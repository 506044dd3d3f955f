import { escapeHtml } from "../mail/html-of-text.ts";
import type { Language } from "../wire/language.ts";

/** What the page shows: `asks`, a question with a button; `done`, a confirmation; `unknown`, that the link is not valid. */
export type UnsubscribeState = "asks" | "done" | "unknown";

interface PageWords {
  readonly title: string;
  readonly asks: (store: string) => string;
  readonly button: string;
  readonly done: (store: string) => string;
  readonly unknown: string;
}

const WORDS: Readonly<Record<Language, PageWords>> = {
  en: {
    title: "Mails about points",
    asks: (store) => `Do you want to stop receiving mails about your points from ${store}?`,
    button: "Unsubscribe",
    done: (store) =>
      `You will receive no more mails about your points from ${store}. Your points are not affected. To receive them again, agree to receive mails in your account at the shop.`,
    unknown: "This link is not valid. Use the link in the last mail that you received.",
  },
  ja: {
    title: "ポイントに関するメール",
    asks: (store) => `${store}からのポイントに関するメールの配信を停止しますか？`,
    button: "配信を停止する",
    done: (store) =>
      `${store}からのポイントに関するメールの配信を停止しました。保有ポイントへの影響はありません。再開するには、ショップのアカウントでメールの受信に同意してください。`,
    unknown: "このリンクは無効です。最後に受信したメールのリンクをお使いください。",
  },
};

const STYLE = `body{font:16px/1.7 system-ui,sans-serif;margin:0;color:#1f2328;background:#f6f7f8}
main{max-width:32rem;margin:12vh auto 0;padding:0 1.25rem}
h1{font-size:1.375rem;line-height:1.4}
button{font:inherit;padding:.6rem 1.25rem;border:0;border-radius:6px;background:#1f2328;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #2f6feb;outline-offset:2px}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181b}button{background:#e6e6e6;color:#16181b}}`;

/** The page of an unsubscribe link. It has no script; the button posts to the page's own address. `nonce`: for the page's style element. */
export function unsubscribePage(
  state: UnsubscribeState,
  { language, store, nonce }: { readonly language: Language; readonly store: string; readonly nonce: string },
): string {
  const words = WORDS[language];
  const says = state === "unknown" ? words.unknown : words[state](store);
  const form =
    state === "asks" ? `\n<form method="post"><button type="submit">${escapeHtml(words.button)}</button></form>` : "";
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(words.title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(says)}</p>${form}
</main>
</body>
</html>
`;
}
