import { useSession } from "../api/session.ts";
import { useLanguage } from "../words/language.tsx";
import { createFormat, type Format } from "./format.ts";

/** Each has formatters of the browser, whose making takes longer than showing a row: all cells of a page share one. */
const formats = new Map<string, Format>();

/** Numbers, money and times as the language, the store's currency and its time zone write them. */
export function useFormat(): Format {
  const { language } = useLanguage();
  const { currency, currency_digits: currencyDigits, time_zone: timeZone } = useSession().store;
  const key = `${language} ${currency} ${currencyDigits} ${timeZone}`;
  const format = formats.get(key) ?? createFormat({ language, currency, currencyDigits, timeZone });
  formats.set(key, format);
  return format;
}
