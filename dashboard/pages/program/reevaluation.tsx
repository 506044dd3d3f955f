import type { Reevaluation as Effect } from "../../../src/admin/program/schema.ts";
import { Help } from "../../ui/forms/help.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import classes from "./program.module.css";
import { reviewWords } from "./review-words.ts";
import { TimeField } from "./time-field.tsx";

interface ReevaluationProps {
  /** Null: the draft would apply from now on. */
  effect: Effect | null;
  /** Null: from now on. */
  from: string | null;
  onFrom(from: string | null): void;
  fault: string | null;
}

/** From when the draft applies to orders, and the effect of re-evaluating the orders since then. */
export function Reevaluation({ effect, from, onFrom, fault }: ReevaluationProps) {
  const r = useWords(reviewWords);
  const { newest } = useDraft();
  const isFirst = newest.version === 1;
  return (
    <Section title={r.recalculated}>
      {isFirst ? (
        <p className={classes["hint"]}>{r.firstHoldsAlways}</p>
      ) : (
        <div style={{ maxWidth: 380 }}>
          <TimeField label={r.validFrom} value={from} onChange={onFrom} fault={fault} emptyMeans={r.fromNowOn} />
          <Help example="version.from" of={r.validFrom} />
        </div>
      )}
      {effect === null ? null : <Figures effect={effect} />}
    </Section>
  );
}

function Figures({ effect }: { effect: Effect }) {
  const r = useWords(reviewWords);
  const { format } = useDraft();
  if (effect.orders === 0) return <p className={classes["hint"]}>{r.noOrdersThen}</p>;
  const isPart = effect.looked_at < effect.orders;
  return (
    <>
      <Facts
        items={[
          [r.ordersThen, format.number(effect.orders)],
          ...(isPart ? [[r.ordersLooked, format.number(effect.looked_at)] as const] : []),
          [r.ordersChanged, format.number(effect.changed)],
          [r.pointsMore, format.points(effect.points_more, true)],
          [r.pointsLess, format.points(-effect.points_less, true)],
        ]}
      />
      {isPart ? <p className={classes["hint"]}>{r.partLooked}</p> : null}
      {effect.points_less > 0 ? <p className={classes["hint"]}>{r.lessIsCapped}</p> : null}
    </>
  );
}
