import type { ReactNode } from "react";
import classes from "./clamped.module.css";

/** Text of any length in a cell of a table: two lines of it are shown. */
export function Clamped({ children }: { children: ReactNode }) {
  return <span className={classes["text"]}>{children}</span>;
}
