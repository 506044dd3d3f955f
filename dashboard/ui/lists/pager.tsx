import { Button } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useWords } from "../../words/use-words.ts";
import { pageBefore, rememberPage } from "../urls/page-trail.ts";
import { words } from "../words.ts";
import type { CountQuery } from "./count-query.ts";
import { ListTotal } from "./list-total.tsx";
import classes from "./pager.module.css";

interface PagerProps {
  /** The cursor of the next page; null or undefined on the last. */
  next: string | null | undefined;
  /** The cursor of the shown page; an empty text: the first. */
  after: string;
  onAfter(after: string): void;
  /** Counts all rows; absent: the list says elsewhere how many there are. */
  count?: CountQuery | undefined;
}

/** Buttons to the next page, to the previous one if this tab came from it, and to the first, beside the number of all rows. */
export function Pager({ next, after, onAfter, count }: PagerProps) {
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
      {count === undefined ? null : <ListTotal count={count} />}
      <Step label={t.firstPage} onGo={isFirst ? null : () => onAfter("")} />
      <Step label={t.previousPage} onGo={before === null ? null : () => onAfter(before)} />
      <Step label={t.nextPage} onGo={next == null ? null : () => goOn(next)} />
    </nav>
  );
}

/** A disabled button keeps its focus, because it was just pressed. */
function Step({ label, onGo }: { label: string; onGo: (() => void) | null }) {
  const off = onGo === null ? { "aria-disabled": true, "data-disabled": true } : {};
  return (
    <Button variant="default" {...off} onClick={() => onGo?.()}>
      {label}
    </Button>
  );
}
