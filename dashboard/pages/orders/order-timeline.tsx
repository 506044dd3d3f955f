import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { OrderMoney } from "./order-money.tsx";
import { words } from "./order-words.ts";
import { type OrderHappening, timelineOf } from "./timeline.ts";
import { timelineWords } from "./timeline-words.ts";

/** The history of the order, oldest first. */
export function OrderTimeline({ order }: { order: OrderDetail }) {
  const t = useWords(timelineWords);
  const format = useFormat();
  const currency = order.total?.currency ?? order.rules?.currency ?? null;
  return (
    <Section title={t.title}>
      <ol className={classes["timeline"]}>
        {timelineOf(order).map((happening) => (
          <li key={`${happening.kind}/${happening.at}`}>
            <time dateTime={happening.at} className={classes["quiet"]}>
              {format.minute(happening.at)}
            </time>
            <span>
              <Happening {...{ happening, currency }} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Happening({ happening, currency }: { happening: OrderHappening; currency: string | null }) {
  const t = useWords(timelineWords);
  const { statuses } = useWords(words);
  const format = useFormat();
  const money = (minor: number | null) =>
    minor === null || currency === null ? null : <OrderMoney value={{ minor, currency }} />;
  switch (happening.kind) {
    case "shipment":
      return `${t.shipment}: ${happening.items} (${nameOf(statuses, happening.status)})`;
    case "refund":
      return (
        <>
          {happening.items === "" ? t.refund : `${t.refund}: ${happening.items}`} {money(happening.minor)}
        </>
      );
    case "coupon":
      return (
        <>
          {t.coupon(happening.code)} {money(happening.minor)}
        </>
      );
    case "cancelled":
      return happening.reason === null ? t.cancelled : `${t.cancelled} (${nameOf(t.reasons, happening.reason)})`;
    case "given":
    case "taken":
      return t[happening.kind](format.points(happening.points, true));
    default:
      return t[happening.kind];
  }
}
