import { useSession } from "../../api/session.ts";
import { useLanguage } from "../../words/language.tsx";
import { createFormat, type Format } from "./format.ts";

/** Creating a browser's formatters takes longer than showing a row, so all cells of a page share them. */
const formats = new Map<string, Format>();

/** Returns the formatter for the language, the store's currency and its time zone. */
export function useFormat(): Format {
  const { language } = useLanguage();
  const { currency, currency_digits: currencyDigits, time_zone: timeZone } = useSession().store;
  const key = `${language} ${currency} ${currencyDigits} ${timeZone}`;
  const format = formats.get(key) ?? createFormat({ language, currency, currencyDigits, timeZone });
  formats.set(key, format);
  return format;
}
