import type { ReactNode } from "react";
import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { OrderMoney } from "./order-money.tsx";
import { words } from "./order-words.ts";

interface Happening {
  readonly key: string;
  readonly at: string;
  readonly what: string;
  readonly detail: string;
  readonly amount: ReactNode;
}

/** What was shipped, given back and paid with coupons, oldest first. */
export function OrderDeliveries({ order }: { order: OrderDetail }) {
  const t = useWords(words);
  const rows = useHappenings(order);
  const columns: readonly Column<Happening>[] = [
    { key: "time", header: t.time, width: "144px", render: (row) => <Time at={row.at} /> },
    { key: "what", header: t.what, render: (row) => row.what },
    { key: "detail", header: t.detail, render: (row) => row.detail },
    { key: "amount", header: t.amount, align: "right", render: (row) => row.amount },
  ];
  return (
    <Section title={t.deliveries}>
      <DataTable
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        empty={<span className={classes["quiet"]}>{t.noDeliveries}</span>}
        caption={t.deliveries}
      />
    </Section>
  );
}

function useHappenings(order: OrderDetail): readonly Happening[] {
  const t = useWords(words);
  const format = useFormat();
  const currency = order.total?.currency ?? order.rules?.currency ?? "";
  const money = (minor: number | null) =>
    minor === null || currency === "" ? "—" : <OrderMoney value={{ minor, currency }} />;
  const statuses: Readonly<Record<string, string>> = t.statuses;
  const shipped = order.fulfillments.map(({ id, created_at, status, lines }) => ({
    key: `fulfillment-${id}`,
    at: created_at,
    what: t.shipment(id),
    detail: `${t.items(unitsOf(lines))} · ${statuses[status] ?? status}`,
    amount: null,
  }));
  const refunded = order.refunds.map(({ id, created_at, lines, money_moved }) => ({
    key: `refund-${id}`,
    at: created_at,
    what: t.refund(id),
    detail: t.items(unitsOf(lines)),
    amount: money(money_moved),
  }));
  const used = order.coupons.map(({ code, used_at, points, returned_points, currency_value }) => ({
    key: `coupon-${code}`,
    at: used_at,
    what: t.coupon(code),
    detail: t.couponDetail(format.points(points), format.points(returned_points)),
    amount: money(currency_value),
  }));
  return [...shipped, ...refunded, ...used].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

function unitsOf(lines: readonly { readonly quantity: number }[]): number {
  return lines.reduce((total, { quantity }) => total + quantity, 0);
}
