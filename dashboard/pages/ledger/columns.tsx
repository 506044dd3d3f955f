import type { LedgerRow } from "../../../src/admin/ledger/schema.ts";
import type { Column } from "../../ui/data-table.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { Points } from "../../ui/points.tsx";
import { Time } from "../../ui/time.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./ledger.module.css";
import { nameOf } from "./type-filter.tsx";
import { words } from "./words.ts";

export function useLedgerColumns(): readonly Column<LedgerRow>[] {
  const t = useWords(words);
  return [
    { key: "time", header: t.time, width: "128px", render: (row) => <Time at={row.allotted_at} /> },
    { key: "type", header: t.type, width: "128px", render: (row) => nameOf(t.types, row.type) },
    {
      key: "points",
      header: t.points,
      align: "right",
      width: "96px",
      render: (row) => <Points value={row.point_value} signed />,
    },
    {
      key: "balance",
      header: t.balance,
      align: "right",
      width: "96px",
      render: (row) => <Points value={row.balance_after} />,
    },
    { key: "customer", header: t.customer, render: (row) => <CustomerName customer={row.customer} /> },
    { key: "source", header: t.source, render: (row) => <Source row={row} /> },
    { key: "reason", header: t.reason, render: (row) => <Reason row={row} /> },
  ];
}

function CustomerName({ customer }: { customer: LedgerRow["customer"] }) {
  const t = useWords(words);
  if (customer.is_deleted) return <span className={classes["quiet"]}>{t.deleted}</span>;
  return (
    <PageLink to={`/customers/${encodeURIComponent(customer.id)}`}>
      {customer.name ?? customer.email ?? customer.id}
    </PageLink>
  );
}

/** The order where there is one, else what moved the points. */
function Source({ row }: { row: LedgerRow }) {
  const t = useWords(words);
  if (row.order_id !== null) {
    return <PageLink to={`/orders/${encodeURIComponent(row.order_id)}`}>{t.order(row.order_id)}</PageLink>;
  }
  return <span className={classes["text"]}>{row.actor ?? row.object ?? row.app_reference}</span>;
}

/** The note where somebody left one, else the kind of reason where it says more than the type. */
function Reason({ row }: { row: LedgerRow }) {
  const t = useWords(words);
  const kind = row.reason_type === null || row.reason_type === row.type ? null : nameOf(t.reasons, row.reason_type);
  return (
    <span className={classes["text"]}>
      {kind}
      {kind !== null && row.note !== null ? " · " : null}
      {row.note}
    </span>
  );
}
