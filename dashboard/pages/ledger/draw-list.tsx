import type { LedgerExplanation } from "../../../src/admin/ledger/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./draw-list.module.css";
import { words } from "./words.ts";

interface DrawListProps {
  title: string;
  draws: LedgerExplanation["draws"];
  pathOf(uid: string): string;
  /** The part that was not drawn. */
  rest?: { label: string; points: number };
}

/** The allotments from which points were taken, or to which they went; each links to its panel. */
export function DrawList({ title, draws, pathOf, rest }: DrawListProps) {
  const t = useWords(words);
  const format = useFormat();
  return (
    <Section title={title}>
      <ul className={classes["draws"]}>
        {[...draws.entries()].map(([n, { uid, type, allotted_at, points }]) => (
          <li key={n}>
            <PageLink to={pathOf(uid)} keepScroll>
              {nameOf(t.types, type)} · {format.date(allotted_at)}
            </PageLink>
            <Points value={points} />
          </li>
        ))}
        {rest === undefined ? null : (
          <li>
            <span>{rest.label}</span>
            <Points value={rest.points} />
          </li>
        )}
      </ul>
    </Section>
  );
}
