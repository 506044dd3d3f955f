import type { OrderRow } from "../../../src/admin/orders/schema.ts";
import type { Column } from "../../ui/lists/data-table.tsx";
import { Points } from "../../ui/values/points.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { OrderCustomer } from "./order-customer.tsx";
import { OrderMoney } from "./order-money.tsx";
import { OrderStateBadge } from "./order-state.tsx";
import classes from "./orders.module.css";
import { words } from "./words.ts";

export function useOrderColumns(): readonly Column<OrderRow>[] {
  const t = useWords(words);
  const points = (
    key: "awardable_points" | "points_awarded" | "points_redeemed",
    header: string,
  ): Column<OrderRow> => ({
    key,
    header,
    align: "right",
    width: "96px",
    render: (row) => <Points value={row[key]} />,
  });
  return [
    {
      key: "order",
      onPhone: "second",
      header: t.order,
      render: (row) => <span className={classes["name"]}>{row.name ?? row.order_id}</span>,
    },
    {
      key: "processed",
      onPhone: "second",
      header: t.processed,
      width: "128px",
      render: (row) => <Time at={row.processed_at} />,
    },
    {
      key: "customer",
      onPhone: "first",
      header: t.customer,
      isName: true,
      render: (row) => <OrderCustomer order={row} />,
    },
    {
      key: "total",
      onPhone: "first",
      header: t.total,
      align: "right",
      width: "112px",
      render: (row) => <OrderMoney value={row.total} />,
    },
    points("awardable_points", t.awardable),
    points("points_awarded", t.awarded),
    points("points_redeemed", t.redeemed),
    {
      key: "state",
      onPhone: "second",
      header: t.state,
      width: "152px",
      render: (row) => <OrderStateBadge state={row.state} />,
    },
  ];
}
