import type { Language } from "../wire/language.ts";
import type { ReportKind } from "../wire/reports.ts";
import { DAY_FORM, LOCALES } from "../wire/text-forms.ts";
import type { ReportPeriod } from "./report.ts";

interface ReportWords {
  readonly kinds: Readonly<Record<ReportKind, string>>;
  readonly subject: (store: string, kind: string, period: string) => string;
  readonly attached: string;
  readonly linked: (url: string) => string;
}

const WORDS: Readonly<Record<Language, ReportWords>> = {
  en: {
    kinds: { ledger: "Ledger", liability: "Liability", customers: "Statement by customer" },
    subject: (store, kind, period) => `${store}: ${kind}, ${period}`,
    attached: "The report is attached as a CSV file.",
    linked: (url) => `The file is too large for a mail. Sign in to download it:\n\n${url}`,
  },
  ja: {
    kinds: { ledger: "ポイント履歴", liability: "ポイント負債", customers: "会員別明細" },
    subject: (store, kind, period) => `${store}：${kind}（${period}）`,
    attached: "レポートをCSVファイルで添付します。",
    linked: (url) => `ファイルが大きいため添付していません。ログインしてダウンロードしてください。\n\n${url}`,
  },
};

const SUBJECT_MAX = 190;

/** Returns the mail of a report. `url`: the page with the files; null: the file is attached. */
export function reportMail(
  { kind, store, firstOn, lastOn }: ReportPeriod & { readonly kind: ReportKind; readonly store: string },
  language: Language,
  url: string | null,
): { readonly subject: string; readonly text: string } {
  const words = WORDS[language];
  const subject = words
    .subject(store, words.kinds[kind], daysText(firstOn, lastOn, language))
    .replaceAll(/\p{Cc}/gu, " ");
  return {
    subject: subject.slice(0, SUBJECT_MAX).toWellFormed(),
    text: `${subject}\n\n${url === null ? words.attached : words.linked(url)}\n`,
  };
}

/** `1 – 31 Mar 2026`, `2026/03/01～2026/03/31`. */
function daysText(first: string, last: string, language: Language): string {
  const form = new Intl.DateTimeFormat(LOCALES[language], { ...DAY_FORM, timeZone: "UTC" });
  return form.formatRange(Date.parse(first), Date.parse(last)).replaceAll(/\s/gu, " ");
}
