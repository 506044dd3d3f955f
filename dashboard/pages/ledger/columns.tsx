import type { LedgerRow } from "../../../src/admin/ledger/schema.ts";
import { useAllotmentColumns, useReasonParts } from "../../ui/lists/allotment-columns.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { AllotmentSource } from "../../ui/values/allotment-source.tsx";
import { Clamped } from "../../ui/values/clamped.tsx";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./ledger.module.css";
import { words } from "./words.ts";

export function useLedgerColumns(): readonly Column<LedgerRow>[] {
  const t = useWords(words);
  const reasonParts = useReasonParts();
  const { time, type, points, balance } = useAllotmentColumns();
  return [
    { ...time, onPhone: "second" },
    { ...type, onPhone: "second" },
    { ...points, onPhone: "first" },
    { ...balance, onPhone: "named" },
    {
      key: "customer",
      onPhone: "first",
      header: t.customer,
      isName: true,
      width: "160px",
      render: (row) => <CustomerName customer={row.customer} />,
    },
    { key: "source", header: t.source, width: "168px", render: (row) => <Source row={row} /> },
    { key: "reason", header: t.reason, render: (row) => <Clamped>{reasonParts(row).join(" · ")}</Clamped> },
  ];
}

function CustomerName({ customer }: { customer: LedgerRow["customer"] }) {
  const t = useWords(words);
  if (customer.is_deleted) return <span className={classes["quiet"]}>{t.deleted}</span>;
  return <CustomerLink customer={customer} />;
}

/** The person who did it, if it was one: the list of one customer has a separate column for that. */
function Source({ row }: { row: LedgerRow }) {
  if (row.order_id === null && row.actor !== null) return <Clamped>{row.actor}</Clamped>;
  return (
    <AllotmentSource orderId={row.order_id} orderName={row.order_name} object={row.object} app={row.app_reference} />
  );
}
