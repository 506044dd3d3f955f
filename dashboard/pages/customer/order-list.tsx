import type { CustomerOrderRow } from "../../../src/admin/customers/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Money } from "../../ui/values/money.tsx";
import { Points } from "../../ui/values/points.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { PartTable } from "./part-table.tsx";
import { words } from "./words.ts";

/** A customer's orders and their points. */
export function OrderList({ id }: { id: string }) {
  const t = useWords(words);
  return (
    <PartTable<CustomerOrderRow>
      id={id}
      part="orders"
      caption={t.tabs.orders}
      empty={t.noOrders}
      rowKey={(row) => row.id}
      columns={[
        {
          key: "order",
          onPhone: "first",
          header: t.order,
          render: (row) => <PageLink to={`/orders/${encodeURIComponent(row.id)}`}>{row.name ?? row.id}</PageLink>,
        },
        { key: "time", onPhone: "second", header: t.orderTime, render: (row) => <Time at={row.processed_at} /> },
        { key: "total", onPhone: "first", header: t.total, align: "right", render: (row) => <Total row={row} /> },
        {
          key: "awardable",
          header: t.awardable,
          align: "right",
          render: (row) => <Points value={row.awardable_points} />,
        },
        {
          key: "awarded",
          onPhone: "named",
          header: t.awarded,
          align: "right",
          render: (row) => <Points value={row.awarded_points} />,
        },
        {
          key: "redeemed",
          onPhone: "named",
          header: t.redeemed,
          align: "right",
          render: (row) => <Points value={row.redeemed_points} />,
        },
      ]}
    />
  );
}

/** In the store's currency; for another currency only its name is shown. */
function Total({ row }: { row: CustomerOrderRow }) {
  const { currency } = useSession().store;
  if (row.total === null) return "—";
  return row.currency === currency ? <Money minor={row.total} /> : row.currency;
}
