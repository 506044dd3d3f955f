import type { Language } from "../../src/wire/language.ts";
import { refusalInJapanese } from "./refusals-ja.ts";

/** Why a request to another system has no answer, by the codes and texts of the system, of TLS and of the service. */
const REASONS: readonly (readonly [RegExp, Readonly<Record<Language, string>>])[] = [
  [/\b(?:ENOTFOUND|EAI_AGAIN)\b/, { en: "The host name was not found", ja: "ホスト名が見つかりません" }],
  [/\bECONNREFUSED\b/, { en: "The connection was refused", ja: "接続が拒否されました" }],
  [/\b(?:EHOSTUNREACH|ENETUNREACH)\b/, { en: "The host cannot be reached", ja: "ホストに到達できません" }],
  [
    /\b(?:CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|ERR_TLS_\w+)\b/,
    { en: "The certificate is not valid", ja: "証明書が有効ではありません" },
  ],
  [
    /\b(?:ETIMEDOUT|\w+_TIMEOUT)\b|^no answer within\b/,
    { en: "No answer came in time", ja: "時間内に応答がありませんでした" },
  ],
  [
    /\b(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)\b|other side closed/,
    { en: "The connection was closed", ja: "接続が切断されました" },
  ],
  [/^no answer$/, { en: "There was no answer", ja: "応答がありませんでした" }],
  [/^the answer is too long$/, { en: "The answer is too long", ja: "応答が長すぎます" }],
];

/** Returns why a request failed in the page's language, with the system's own words, which a developer needs. Unknown ones are shown alone. */
export function localizeFailure(text: string, language: Language): string {
  const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1][language];
  if (reason !== undefined) return language === "ja" ? `${reason}（${text}）` : `${reason} (${text})`;
  return language === "ja" ? refusalInJapanese(text) : text;
}
