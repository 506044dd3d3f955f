import classes from "./points.module.css";
import { useFormat } from "./use-format.ts";

/** Money in the store's currency, from minor units. */
export function Money({ minor }: { minor: number }) {
  return <span className={classes["points"]}>{useFormat().money(minor)}</span>;
}
