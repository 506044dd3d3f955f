import type { ReactNode } from "react";
import { useWords } from "../words/use-words.ts";
import classes from "./filter-bar.module.css";
import { words } from "./words.ts";

/** The controls that narrow a list, in one row that wraps. */
export function FilterBar({ children }: { children: ReactNode }) {
  const t = useWords(words);
  return (
    <search className={classes["bar"]} aria-label={t.filters}>
      {children}
    </search>
  );
}
