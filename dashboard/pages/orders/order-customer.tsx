import type { OrderRow } from "../../../src/admin/orders/schema.ts";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./orders.module.css";
import { words } from "./words.ts";

/** The customer of an order, or the e-mail for which it waits. */
export function OrderCustomer({ order }: { order: Pick<OrderRow, "customer" | "email"> }) {
  const t = useWords(words);
  const { customer, email } = order;
  if (customer === null) {
    return <span className={classes["quiet"]}>{email === null ? t.noCustomer : t.guest(email)}</span>;
  }
  if (customer.is_deleted) return <span className={classes["quiet"]}>{t.deleted}</span>;
  return <CustomerLink className={classes["cellLink"] ?? ""} customer={customer} />;
}
