import type { ExpiryEffectView } from "../../../src/admin/program/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import classes from "./program.module.css";
import { reviewWords } from "./review-words.ts";
import { SampleNotice } from "./sample-notice.tsx";
import { words } from "./words.ts";

/** The points whose expiry changes, and the points that expire in the coming months. */
export function ExpiryEffect({ effect }: { effect: ExpiryEffectView | null }) {
  const r = useWords(reviewWords);
  const nothing = effect === null || (effect.earlier.balances === 0 && effect.later.balances === 0);
  return (
    <Section title={r.expiryEffect}>
      {nothing ? <p className={classes["hint"]}>{r.noExpiryMoves}</p> : null}
      {effect === null ? null : <SampleNotice share={effect.share} />}
      {effect === null || nothing ? null : (
        <>
          <TouchedPoints effect={effect} />
          <Months months={effect.months} />
        </>
      )}
    </Section>
  );
}

function TouchedPoints({ effect }: { effect: ExpiryEffectView }) {
  const t = useWords(words);
  const r = useWords(reviewWords);
  const { format } = useDraft();
  const touched = [
    [r.earlier, effect.earlier],
    [r.graced, effect.graced],
    [r.atOnce, effect.at_once],
    [r.later, effect.later],
  ] as const;
  const items = touched
    .filter(([, { balances }]) => balances > 0)
    .map(([label, { points, balances }]): [string, string] => [
      label,
      `${t.points(format.points(points))} ${r.inBalances(balances, format.number(balances))}`,
    ]);
  return <Facts items={items} />;
}

function Months({ months }: { months: ExpiryEffectView["months"] }) {
  const t = useWords(words);
  const r = useWords(reviewWords);
  const { format } = useDraft();
  return (
    <DataTable
      caption={r.expiring}
      rows={months.filter(({ before, after }) => before > 0 || after > 0)}
      rowKey={({ month }) => month}
      empty={r.noExpiryMoves}
      columns={[
        { key: "month", header: r.month, render: ({ month }) => format.month(month) },
        { key: "before", header: t.before, align: "right", render: ({ before }) => format.points(before) },
        { key: "after", header: t.after, align: "right", render: ({ after }) => format.points(after) },
        {
          key: "difference",
          header: r.difference,
          align: "right",
          render: ({ before, after }) => (after === before ? "" : format.points(after - before, true)),
        },
      ]}
    />
  );
}
