import classes from "../../ui/values/points.module.css";
import { useFormat } from "../../ui/values/use-format.ts";

interface OrderMoneyProps {
  /** Minor units. */
  value: { minor: number; currency: string } | null;
}

/** Money of an order, which may be in another currency than the store's. */
export function OrderMoney({ value }: OrderMoneyProps) {
  const format = useFormat();
  return value === null ? "—" : <span className={classes["points"]}>{format.moneyOf(value)}</span>;
}
