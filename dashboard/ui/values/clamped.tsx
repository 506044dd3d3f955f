import type { ReactNode } from "react";
import classes from "./clamped.module.css";

/** Text of any length in a table cell, of which two lines are shown. */
export function Clamped({ children }: { children: ReactNode }) {
  return <span className={classes["text"]}>{children}</span>;
}
