import { Button } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useWords } from "../words/use-words.ts";
import { pageBefore, rememberPage } from "./page-trail.ts";
import classes from "./pager.module.css";
import { words } from "./words.ts";

interface PagerProps {
  /** The cursor of the next page; null or undefined on the last. */
  next: string | null | undefined;
  /** The cursor of the page that is shown; an empty text: the first. */
  after: string;
  onAfter(after: string): void;
}

/** Pages by cursor: on, to the page before as far as this tab came from it, and to the first. */
export function Pager({ next, after, onAfter }: PagerProps) {
  const t = useWords(words);
  const search = useRouterState({ select: (state): Record<string, unknown> => state.location.search });
  const isFirst = after === "";
  if (isFirst && next == null) return null;
  const before = isFirst ? null : pageBefore(search, after);
  const goOn = (to: string) => {
    rememberPage(search, to, after);
    onAfter(to);
  };
  return (
    <nav className={classes["pager"]} aria-label={t.pages}>
      <Step label={t.firstPage} onGo={isFirst ? null : () => onAfter("")} />
      <Step label={t.previousPage} onGo={before === null ? null : () => onAfter(before)} />
      <Step label={t.nextPage} onGo={next == null ? null : () => goOn(next)} />
    </nav>
  );
}

/** One that leads nowhere keeps the focus that it has: it was pressed a moment ago. */
function Step({ label, onGo }: { label: string; onGo: (() => void) | null }) {
  const off = onGo === null ? { "aria-disabled": true, "data-disabled": true } : {};
  return (
    <Button variant="default" {...off} onClick={() => onGo?.()}>
      {label}
    </Button>
  );
}
