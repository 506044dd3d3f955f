import { useQuery } from "@tanstack/react-query";
import type { BuyersMonthRow, MembersAndGuestsAnswer } from "../../../src/admin/growth/schema.ts";
import { apiGet } from "../../api/client.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Page } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./growth.module.css";
import { words } from "./words.ts";

const REFRESH_MS = 60_000;

/** What members and guests ordered, by month. */
export function GrowthPage() {
  const t = useWords(words);
  const { data, error, refetch } = useQuery({
    queryKey: ["growth", "members-and-guests"],
    queryFn: ({ signal }) => apiGet<MembersAndGuestsAnswer>("/growth/members-and-guests", {}, signal),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      {data === undefined ? null : (
        <p className={classes["hint"]}>
          {data.counted_at === null ? (
            t.counting
          ) : (
            <>
              {t.countedAt} <Time at={data.counted_at} />
            </>
          )}
        </p>
      )}
      <DataTable
        caption={t.list}
        columns={useColumns()}
        rows={data?.data}
        rowKey={({ from }) => from}
        rowLink={({ from, to }) => `/orders?from=${from}&to=${to}`}
        error={error}
        onRetry={() => void refetch()}
        empty={t.none}
      />
    </Page>
  );
}

function useColumns(): Column<BuyersMonthRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const average = (of: BuyersMonthRow["members"]) =>
    of.orders === 0 ? "—" : format.money(Math.round(of.revenue_minor / of.orders));
  const share = ({ members, guests }: BuyersMonthRow) => {
    const all = members.revenue_minor + guests.revenue_minor;
    return all === 0 ? "—" : format.percent(members.revenue_minor / all);
  };
  const right = { align: "right" } as const;
  return [
    { key: "month", header: t.month, isShort: true, onPhone: "first", render: ({ from }) => format.month(from) },
    {
      key: "mr",
      onPhone: "first",
      header: t.memberRevenue,
      ...right,
      render: ({ members }) => format.money(members.revenue_minor),
    },
    {
      key: "gr",
      onPhone: "named",
      header: t.guestRevenue,
      ...right,
      render: ({ guests }) => format.money(guests.revenue_minor),
    },
    { key: "share", onPhone: "named", header: t.share, ...right, render: share },
    { key: "mo", header: t.memberOrders, ...right, render: ({ members }) => format.number(members.orders) },
    { key: "go", header: t.guestOrders, ...right, render: ({ guests }) => format.number(guests.orders) },
    { key: "ma", header: t.memberAverage, ...right, render: ({ members }) => average(members) },
    { key: "ga", header: t.guestAverage, ...right, render: ({ guests }) => average(guests) },
  ];
}
