import { allotmentWords } from "../words/allotment-words.ts";
import { nameOf } from "../words/name-of.ts";
import { useWords } from "../words/use-words.ts";
import classes from "./allotment-source.module.css";
import { PageLink } from "./page-link.tsx";

interface AllotmentSourceProps {
  /** The order, where there is one. */
  orderId: string | null;
  /** What people call the order; null: by its id. */
  orderName: string | null;
  /** What moved the points: `coupon-<uid>`, `reward-<n>`, or what a caller of the API calls it. */
  object: string | null;
  app: string;
}

/** Where an allotment came from: its order, else what moved the points, by the name that people have for it. */
export function AllotmentSource({ orderId, orderName, object, app }: AllotmentSourceProps) {
  const t = useWords(allotmentWords);
  if (orderId !== null) {
    return (
      <span className={classes["order"]}>
        <PageLink to={`/orders/${encodeURIComponent(orderId)}`}>{t.order(orderName ?? orderId)}</PageLink>
      </span>
    );
  }
  const text = app === "dashboard" || object === null ? nameOf(t.apps, app) : objectName(object, t);
  return (
    <span className={classes["text"]} title={object ?? app}>
      {text}
    </span>
  );
}

/** What moved points, by the name that people have for it: a reward, a coupon; else as a caller of the API calls it. */
export function objectName(object: string, t: (typeof allotmentWords)["en"]): string {
  const objects: Readonly<Record<string, string>> = t.objects;
  const rewards: Readonly<Record<string, string>> = t.rewards;
  const kind = object.slice(0, Math.max(0, object.indexOf("-")));
  return rewards[object] ?? objects[kind] ?? object;
}
