import type { OrderExampleView } from "../../../src/admin/program/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { useWords } from "../../words/use-words.ts";
import { circumstancesText } from "./circumstances-text.ts";
import { useDraft } from "./draft/draft-context.ts";
import classes from "./program.module.css";
import { reviewWords } from "./review-words.ts";
import { words } from "./words.ts";

/** The points of orders before and after: today, and collapsed below it the differences at later times. */
export function OrderEffect({ examples }: { examples: readonly OrderExampleView[] }) {
  const r = useWords(reviewWords);
  const today = examples.filter(({ at }) => at === examples[0]?.at);
  const ahead = examples.slice(today.length);
  const isOfToday = today.some(isDifferent);
  if (!isOfToday && ahead.length === 0) {
    return (
      <Section title={r.orderEffect}>
        <p className={classes["hint"]}>{r.noOrderMoves}</p>
      </Section>
    );
  }
  return (
    <Section title={r.orderEffect}>
      <Examples examples={today} caption={r.orderEffect} when={r.today} />
      {ahead.length === 0 ? null : (
        <details className={classes["details"]} open={!isOfToday}>
          <summary>{r.ahead(ahead.length)}</summary>
          <Examples examples={ahead} caption={r.ahead(ahead.length)} when={null} />
        </details>
      )}
    </Section>
  );
}

interface ExamplesProps {
  examples: readonly OrderExampleView[];
  caption: string;
  /** The common time of all of them; null: each shows its own time. */
  when: string | null;
}

function Examples({ examples, caption, when }: ExamplesProps) {
  const t = useWords(words);
  const r = useWords(reviewWords);
  const { format } = useDraft();
  return (
    <DataTable
      caption={caption}
      rows={examples}
      rowKey={({ at, tier, collection, amount }) => `${at} ${tier} ${collection} ${amount}`}
      empty="—"
      columns={[
        { key: "tier", onPhone: "first", width: "18%", header: r.tier, render: ({ tier }) => tier },
        {
          key: "when",
          onPhone: "second",
          header: r.circumstances,
          render: (example) => circumstancesText(example, when ?? r.onThe(format.date(example.at)), r),
        },
        {
          key: "amount",
          onPhone: "named",
          header: r.order,
          align: "right",
          render: ({ amount }) => format.money(amount),
        },
        {
          key: "before",
          onPhone: "named",
          header: t.before,
          align: "right",
          render: ({ before }) => (before === null ? "—" : format.points(before)),
        },
        {
          key: "after",
          onPhone: "named",
          header: t.after,
          align: "right",
          render: ({ after }) => format.points(after),
        },
        {
          key: "difference",
          onPhone: "first",
          header: r.difference,
          align: "right",
          render: (example) => (isDifferent(example) ? format.points(example.after - (example.before ?? 0), true) : ""),
        },
      ]}
    />
  );
}

function isDifferent({ before, after }: OrderExampleView): boolean {
  return before !== after;
}
