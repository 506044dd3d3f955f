import { useMemo } from "react";
import { useSession } from "../api/session.ts";
import { useLanguage } from "../words/language.tsx";
import { createFormat, type Format } from "./format.ts";

/** Numbers, money and times as the language, the store's currency and its time zone write them. */
export function useFormat(): Format {
  const { language } = useLanguage();
  const { currency, currency_digits, time_zone } = useSession().store;
  return useMemo(
    () => createFormat({ language, currency, currencyDigits: currency_digits, timeZone: time_zone }),
    [language, currency, currency_digits, time_zone],
  );
}
