import { Button } from "@mantine/core";
import { useWords } from "../words/use-words.ts";
import classes from "./pager.module.css";
import { words } from "./words.ts";

interface PagerProps {
  /** The cursor of the next page; null or undefined on the last. */
  next: string | null | undefined;
  onNext(next: string): void;
  isFirst: boolean;
  onFirst(): void;
}

/** Pages by cursor: on, or back to the first; the browser's Back goes one page back. */
export function Pager({ next, onNext, isFirst, onFirst }: PagerProps) {
  const t = useWords(words);
  if (isFirst && next == null) return null;
  return (
    <nav className={classes["pager"]} aria-label={t.pages}>
      <Button variant="default" disabled={isFirst} onClick={onFirst}>
        {t.firstPage}
      </Button>
      <Button variant="default" disabled={next == null} onClick={() => next != null && onNext(next)}>
        {t.nextPage}
      </Button>
    </nav>
  );
}
