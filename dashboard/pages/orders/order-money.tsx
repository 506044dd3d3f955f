import { useSession } from "../../api/session.ts";
import { Money } from "../../ui/money.tsx";
import { useLanguage } from "../../words/language.tsx";

interface OrderMoneyProps {
  /** Minor units. */
  value: { minor: number; currency: string } | null;
}

/** Money of an order, which may be in another currency than the store's. */
export function OrderMoney({ value }: OrderMoneyProps) {
  const { store } = useSession();
  const { language } = useLanguage();
  if (value === null) return "—";
  if (value.currency === store.currency) return <Money minor={value.minor} />;
  const format = new Intl.NumberFormat(language === "ja" ? "ja-JP" : "en-GB", {
    style: "currency",
    currency: value.currency,
    currencyDisplay: "code",
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(value.minor / 10 ** digits);
}
