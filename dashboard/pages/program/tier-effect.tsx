import type { TierEffect as Effect, MoverRow } from "../../../src/admin/program/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import classes from "./program.module.css";
import { reviewWords } from "./review-words.ts";
import { SampleNotice } from "./sample-notice.tsx";

/** A longer list is collapsed at first. */
const OPEN_MAX = 20;

/** The number of customers per tier before and after, and who moves. */
export function TierEffect({ effect }: { effect: Effect | null }) {
  const r = useWords(reviewWords);
  const { format } = useDraft();
  const nobody = effect === null || (effect.now.count === 0 && effect.at_check.count === 0);
  return (
    <Section title={r.tierEffect}>
      {nobody ? <p className={classes["hint"]}>{r.noMoves}</p> : null}
      {effect === null ? null : (
        <>
          <SampleNotice share={effect.share} />
          <DataTable
            caption={r.tierEffect}
            rows={effect.tiers}
            rowKey={({ name }) => name}
            empty={r.noMoves}
            columns={[
              { key: "tier", header: r.tier, render: ({ name }) => name },
              {
                key: "present",
                header: r.customersNow,
                align: "right",
                render: ({ present }) => format.number(present),
              },
              {
                key: "now",
                header: r.afterThis,
                align: "right",
                render: ({ now, present }) => <Count value={now} before={present} />,
              },
              {
                key: "check",
                header: r.afterCheck(format.date(effect.next_check_at)),
                align: "right",
                render: ({ at_check, now }) => <Count value={at_check} before={now} />,
              },
            ]}
          />
          <Movers title={r.movesNow(format.number(effect.now.count))} movers={effect.now} />
          <Movers title={r.movesAtCheck(format.number(effect.at_check.count))} movers={effect.at_check} />
        </>
      )}
    </Section>
  );
}

function Count({ value, before }: { value: number; before: number }) {
  const { format } = useDraft();
  const difference = value - before;
  return (
    <span>
      {format.number(value)}
      {difference === 0 ? null : <span className={classes["hint"]}> ({format.points(difference, true)})</span>}
    </span>
  );
}

function Movers({ title, movers }: { title: string; movers: Effect["now"] }) {
  const r = useWords(reviewWords);
  const { format } = useDraft();
  if (movers.count === 0) return null;
  const isCut = movers.first.length < movers.count;
  return (
    <details className={classes["details"]} open={movers.first.length <= OPEN_MAX}>
      <summary>{title}</summary>
      {isCut ? (
        <p className={classes["hint"]}>{r.firstOf(format.number(movers.first.length), format.number(movers.count))}</p>
      ) : null}
      <DataTable<MoverRow>
        caption={title}
        rows={movers.first}
        rowKey={({ storefront_id }) => storefront_id}
        empty={r.noMoves}
        columns={[
          { key: "customer", header: r.customer, render: (mover) => <Customer mover={mover} /> },
          { key: "from", header: r.from, render: ({ from }) => from },
          { key: "to", header: r.to, render: ({ to }) => to },
          { key: "spent", header: r.spent, align: "right", render: ({ spent }) => format.money(spent) },
        ]}
      />
    </details>
  );
}

function Customer({ mover }: { mover: MoverRow }) {
  const { storefront_id, name, email } = mover;
  return <CustomerLink customer={{ id: storefront_id, name, email }} />;
}
