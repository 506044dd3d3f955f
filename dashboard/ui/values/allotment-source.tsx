import { allotmentWords } from "../../words/allotment-words.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { PageLink } from "../layout/page-link.tsx";
import classes from "./allotment-source.module.css";

interface AllotmentSourceProps {
  /** The order, if there is one. */
  orderId: string | null;
  /** The order's name; null: its id is shown. */
  orderName: string | null;
  /** What moved the points: `coupon-<uid>`, `reward-<n>`, or a text from a caller of the API. */
  object: string | null;
  app: string;
}

/** The object of the points that a merge moved begins so. */
const MERGED = "balance-";

/** The source of an allotment: its order, or the name of what moved the points. */
export function AllotmentSource({ orderId, orderName, object, app }: AllotmentSourceProps) {
  const t = useWords(allotmentWords);
  if (orderId !== null) {
    return (
      <span className={classes["order"]}>
        <PageLink to={`/orders/${encodeURIComponent(orderId)}`}>{t.order(orderName ?? orderId)}</PageLink>
      </span>
    );
  }
  // What the dashboard names otherwise is the uid of a request.
  const isNamed = object !== null && (app !== "dashboard" || object.startsWith(MERGED));
  const text = isNamed ? objectName(object, t) : nameOf(t.apps, app);
  return (
    <span className={classes["text"]} title={object ?? app}>
      {text}
    </span>
  );
}

/** Returns the name of what moved points: a reward, a coupon, or the text from the caller of the API. */
export function objectName(object: string, t: (typeof allotmentWords)["en"]): string {
  const objects: Readonly<Record<string, string>> = t.objects;
  const rewards: Readonly<Record<string, string>> = t.rewards;
  const kind = object.slice(0, Math.max(0, object.indexOf("-")));
  return rewards[object] ?? objects[kind] ?? object;
}
