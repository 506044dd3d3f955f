import type { RecomputedView } from "../../../src/admin/orders/schema.ts";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { causeText } from "./cause-text.ts";
import classes from "./order.module.css";
import { words as orderWords } from "./order-words.ts";
import { words } from "./recompute-words.ts";

/** The differences: sums, allotments, and the reasons. */
export function RecomputeDifference({ shown }: { shown: RecomputedView }) {
  const t = useWords(words);
  const order = useWords(orderWords);
  return (
    <>
      <Figures shown={shown} />
      {shown.postings.length === 0 ? null : (
        <div>
          <h3>{t.willPost}</h3>
          <ul>
            {shown.postings.map(({ cause, wanted, taken, outcome }) => (
              <li key={cause}>
                <span>
                  {causeText(cause, order.causes)}
                  {outcome === "posted" ? null : <Outcome outcome={outcome} wanted={wanted} />}
                </span>
                <Points value={taken} signed />
              </li>
            ))}
          </ul>
        </div>
      )}
      <Reasons shown={shown} />
    </>
  );
}

function Outcome({ outcome, wanted }: { outcome: string; wanted: number }) {
  const t = useWords(words);
  const order = useWords(orderWords);
  const format = useFormat();
  const names: Readonly<Record<string, string>> = order.outcomes;
  return (
    <span className={classes["quiet"]}>
      {" "}
      · {names[outcome] ?? outcome} · {t.askedFor(format.points(wanted, true))}
    </span>
  );
}

function Figures({ shown: { before, after } }: { shown: RecomputedView }) {
  const t = useWords(words);
  const order = useWords(orderWords);
  const rows = [
    [order.awardableLong, before.awardable_points, after.awardable_points],
    [order.awardedLong, before.points_awarded, after.points_awarded],
    [order.redeemedLong, before.points_redeemed, after.points_redeemed],
    [order.forgiven, before.forgiven_points, after.forgiven_points],
  ] as const; // cast: as const keeps rows of three
  return (
    <table className={classes["figures"]} aria-label={t.recomputeTitle}>
      <thead>
        <tr>
          <th scope="col">{t.figure}</th>
          <th scope="col">{t.beforeIt}</th>
          <th scope="col">{t.afterIt}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, was, becomes]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>
              <Points value={was} />
            </td>
            <td className={was === becomes ? classes["quiet"] : undefined}>
              <Points value={becomes} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Facts that were not known when the order was computed. */
function Reasons({ shown }: { shown: RecomputedView }) {
  const t = useWords(words);
  const { products, customer_excluded: customer } = shown;
  if (products.length === 0 && customer === null) return null;
  const tags = (of: readonly string[]) => (of.length === 0 ? t.noTags : of.join(", "));
  return (
    <div>
      <h3>{t.productTags}</h3>
      <ul>
        {products.map(({ product_id, before, after }) => (
          <li key={product_id}>
            {t.tagChange(product_id, before === null ? t.unknownTags : tags(before.tags), tags(after.tags))}
          </li>
        ))}
        {customer === null ? null : <li>{customer.after ? t.customerNowExcluded : t.customerNoMoreExcluded}</li>}
      </ul>
    </div>
  );
}
