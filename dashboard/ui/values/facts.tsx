import type { ReactNode } from "react";
import classes from "./facts.module.css";

/** The facts about one thing: names and values. */
export function Facts({ items }: { items: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={classes["facts"]}>
      {items.map(([label, value]) => (
        <div key={label} className={classes["fact"]}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
