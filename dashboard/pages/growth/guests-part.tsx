import type { BuyersMonthRow, GuestsAnswer } from "../../../src/admin/growth/schema.ts";
import type { SaleFilter } from "../../../src/admin/orders/schema.ts";
import { trimEmptyMonths } from "../../ui/charts/trim-empty-months.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { CountedAt } from "../../ui/values/counted-at.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { CHART_HEIGHT, ChartPart } from "./chart-part.tsx";
import { GuestsChart } from "./charts.tsx";
import classes from "./growth.module.css";
import { useGrowth } from "./use-growth.ts";
import { words } from "./words.ts";

/** The orders of members and guests, by month. */
export function GuestsPart() {
  const t = useWords(words);
  const { data, error, refetch } = useGrowth<GuestsAnswer>("/growth/guests");
  return (
    <>
      <CountedAt at={data?.counted_at} words={t} />
      {data === undefined && error !== null ? null : (
        <ChartPart title={t.guestsList} about={t.guestsChart} data={data?.data} isEmpty={hasNothing}>
          {(months) => <GuestsChart months={months} height={CHART_HEIGHT} />}
        </ChartPart>
      )}
      <DataTable
        caption={t.guestsList}
        columns={useColumns()}
        rows={trimEmptyMonths(data?.data, ({ customers, guests }) => customers.orders + guests.orders === 0)}
        rowKey={({ from }) => from}
        rowLink={(row) => salesPath(row, "sale")}
        error={error}
        onRetry={() => void refetch()}
        empty={t.none}
      />
      <p className={classes["hint"]}>{t.guestsAbout}</p>
    </>
  );
}

/** The orders behind a figure. */
function salesPath({ from, to }: BuyersMonthRow, state: SaleFilter): string {
  return `/orders?${new URLSearchParams({ state, from, to })}`;
}

function hasNothing(months: readonly BuyersMonthRow[]): boolean {
  return months.every(({ customers, guests }) => customers.orders + guests.orders === 0);
}

function useColumns(): Column<BuyersMonthRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const average = (of: BuyersMonthRow["customers"]) =>
    of.orders === 0 ? "—" : format.money(Math.round(of.revenue_minor / of.orders));
  const share = ({ customers, guests }: BuyersMonthRow) => {
    const all = customers.revenue_minor + guests.revenue_minor;
    return all === 0 ? "—" : format.percent(customers.revenue_minor / all);
  };
  const orders = (of: BuyersMonthRow["guests"], to: string) =>
    of.orders === 0 ? "0" : <PageLink to={to}>{format.number(of.orders)}</PageLink>;
  const right = { align: "right" } as const;
  return [
    { key: "month", header: t.month, isShort: true, onPhone: "first", render: ({ from }) => format.month(from) },
    {
      key: "mr",
      onPhone: "named",
      header: t.memberRevenue,
      ...right,
      render: ({ customers }) => format.money(customers.revenue_minor),
    },
    {
      key: "gr",
      onPhone: "named",
      header: t.guestRevenue,
      ...right,
      render: ({ guests }) => format.money(guests.revenue_minor),
    },
    { key: "share", onPhone: "named", header: t.share, ...right, render: share },
    {
      key: "mo",
      onPhone: "named",
      header: t.memberOrders,
      ...right,
      render: (row) => orders(row.customers, salesPath(row, "customer_sale")),
    },
    {
      key: "go",
      onPhone: "named",
      header: t.guestOrders,
      ...right,
      render: (row) => orders(row.guests, salesPath(row, "guest_sale")),
    },
    {
      key: "ma",
      onPhone: "named",
      header: t.memberAverage,
      ...right,
      render: ({ customers }) => average(customers),
    },
    { key: "ga", onPhone: "named", header: t.guestAverage, ...right, render: ({ guests }) => average(guests) },
  ];
}
