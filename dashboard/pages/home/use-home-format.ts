import { useMemo } from "react";
import { useLanguage } from "../../words/language.tsx";
import type { Grouping } from "./grouped-days.ts";

/** Short texts for axes and changes, in the language of the page. */
export interface HomeFormat {
  /** `12K`, `1.2万`. */
  compact(value: number): string;
  /** `+12.5%`. */
  change(part: number): string;
  /** A store day or the first of a stretch, short: `14 Mar`. */
  tick(day: string, grouping: Grouping): string;
}

export function useHomeFormat(): HomeFormat {
  const { language } = useLanguage();
  return useMemo(() => {
    const locale = language === "ja" ? "ja-JP" : "en-GB";
    const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
    const change = new Intl.NumberFormat(locale, {
      style: "percent",
      maximumFractionDigits: 1,
      signDisplay: "exceptZero",
    });
    const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
    const month = new Intl.DateTimeFormat(locale, { month: "short", year: "2-digit", timeZone: "UTC" });
    const of = (text: string) => new Date(`${text.length === 7 ? `${text}-01` : text}T00:00:00Z`);
    return {
      compact: (value) => compact.format(value).replace("-", "−"),
      change: (part) => change.format(part).replace("-", "−"),
      tick: (text, grouping) => (grouping === "month" ? month : day).format(of(text)),
    };
  }, [language]);
}
