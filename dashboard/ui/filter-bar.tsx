import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../words/use-words.ts";
import classes from "./filter-bar.module.css";
import { words } from "./words.ts";

interface FilterBarProps {
  /** Takes every filter away; null or absent: there is none to take away. */
  onClear?: (() => void) | null;
  children: ReactNode;
}

/** The controls that narrow a list, in one row that wraps. */
export function FilterBar({ onClear = null, children }: FilterBarProps) {
  const t = useWords(words);
  return (
    <search className={classes["bar"]} aria-label={t.filters}>
      {children}
      {onClear === null ? null : (
        <Button variant="subtle" color="gray" fw={400} onClick={onClear}>
          {t.clearFilters}
        </Button>
      )}
    </search>
  );
}
