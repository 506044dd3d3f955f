import type { ReactNode } from "react";
import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Points } from "../../ui/values/points.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useReceiptWords } from "../../words/receipt-words.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { OrderCustomer } from "./order-customer.tsx";
import { OrderMoney } from "./order-money.tsx";
import { words } from "./order-words.ts";
import { words as listWords } from "./words.ts";

type Fact = readonly [label: string, value: ReactNode];

/** The order's points and facts. */
export function OrderFacts({ order }: { order: OrderDetail }) {
  return (
    <div className={`${classes["facts"]} ${classes["head"]}`}>
      <PointFacts order={order} />
      <SaleFacts order={order} />
    </div>
  );
}

function PointFacts({ order }: { order: OrderDetail }) {
  const t = useWords(words);
  const list = useWords(listWords);
  const awarded = (
    <PageLink to={`/ledger?order=${encodeURIComponent(order.order_id)}`}>
      <Points value={order.points_awarded} />
    </PageLink>
  );
  const optional: Fact[] = [
    [t.forgiven, order.forgiven_points === 0 ? null : <Points key="forgiven" value={order.forgiven_points} />],
    [t.owed, order.owed_points === 0 ? null : <Points key="owed" value={order.owed_points} />],
    [t.setOff, order.set_off_points === 0 ? null : <Points key="setOff" value={order.set_off_points} />],
    [t.due, order.due_at === null ? null : <Time key="due" at={order.due_at} />],
  ];
  const items: Fact[] = [
    [list.customer, <OrderCustomer key="customer" order={order} />],
    [t.awardableLong, <Points key="awardable" value={order.awardable_points} />],
    [t.awardedLong, awarded],
    [t.redeemedLong, <Points key="redeemed" value={order.points_redeemed} />],
    ...optional.filter(([, value]) => value !== null),
    [list.processed, <Time key="processed" at={order.processed_at} />],
    [t.received, <Time key="received" at={order.received_at} />],
  ];
  return <Facts items={items} />;
}

function SaleFacts({ order }: { order: OrderDetail }) {
  const t = useWords(words);
  const list = useWords(listWords);
  const say = useReceiptWords();
  const sums = [
    [list.total, order.total],
    [t.subtotal, order.subtotal],
    [t.discounts, order.discount_total],
    [t.shippingTotal, order.shipping_total],
    [t.tax, order.tax_total],
  ] as const; // cast: as const keeps the pairs pairs
  // A value that the platform did not send has no row.
  const money = sums.flatMap(([label, value]): Fact[] =>
    value === null ? [] : [[label, <OrderMoney key={label} value={value} />]],
  );
  const optional: Fact[] = [
    [t.payment, named(t.payments, order.financial_status)],
    [t.shipping, named(t.shippings, order.fulfillment_status)],
    [t.paid, order.paid_at === null ? null : <Time key="paid" at={order.paid_at} />],
    [t.cancelledAt, order.cancelled_at === null ? null : <Time key="cancelled" at={order.cancelled_at} />],
    [t.channel, order.channel],
    [t.platform, say.source(order.platform)],
  ];
  return <Facts items={[...money, ...optional.filter(([, value]) => value !== null)]} />;
}

function named(names: Readonly<Record<string, string>>, name: string | null): string | null {
  return name === null ? null : (names[name] ?? name);
}
