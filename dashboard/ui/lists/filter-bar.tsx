import { Button } from "@mantine/core";
import { Children, type ReactNode, useState } from "react";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";
import classes from "./filter-bar.module.css";

interface FilterBarProps {
  /** Removes every filter; null or absent: there is none. */
  onClear?: (() => void) | null;
  children: ReactNode;
}

/**
 * The filters of a list, in one row that wraps. On a telephone only the first one is shown (a search, or the most used one), and a button shows the
 * rest, which are open from the start if a filter is in use.
 */
export function FilterBar({ onClear = null, children }: FilterBarProps) {
  const t = useWords(words);
  const [isOpen, setIsOpen] = useState(onClear !== null);
  const hasMore = Children.toArray(children).length > 1;
  return (
    <search className={classes["bar"]} aria-label={t.filters} data-folds={(hasMore && !isOpen) || undefined}>
      {children}
      {hasMore ? (
        <Button
          className={classes["toggle"] ?? ""}
          variant="default"
          fw={400}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t.fewerFilters : t.filters}
        </Button>
      ) : null}
      {onClear === null ? null : (
        <Button variant="subtle" color="gray" fw={400} onClick={onClear}>
          {t.clearFilters}
        </Button>
      )}
    </search>
  );
}
