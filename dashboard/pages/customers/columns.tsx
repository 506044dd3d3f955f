import type { ListedCustomerRow } from "../../../src/admin/customers/schema.ts";
import type { Column } from "../../ui/lists/data-table.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { Points } from "../../ui/values/points.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./customers.module.css";
import { words } from "./words.ts";

export function useCustomerColumns(): readonly Column<ListedCustomerRow>[] {
  const t = useWords(words);
  return [
    { key: "name", onPhone: "first", header: t.customer, render: (row) => <Name row={row} /> },
    {
      key: "points",
      onPhone: "first",
      header: t.points,
      align: "right",
      width: "112px",
      render: (row) => <Points value={row.points} />,
    },
    { key: "tier", onPhone: "second", header: t.tier, width: "120px", render: (row) => row.tier ?? "—" },
    { key: "expires", header: t.expires, width: "128px", render: (row) => <DateText at={row.expires_at} /> },
    {
      key: "activity",
      onPhone: "named",
      header: t.activity,
      width: "128px",
      render: (row) => <Time at={row.last_activity_at} />,
    },
    { key: "id", header: t.id, width: "144px", render: (row) => <Id id={row.id} /> },
  ];
}

/** An id that is made of an e-mail address is long; it may not take the width of the other columns. */
function Id({ id }: { id: string }) {
  return (
    <span className={classes["id"]} title={id}>
      {id}
    </span>
  );
}

function Name({ row }: { row: ListedCustomerRow }) {
  const t = useWords(words);
  if (row.deleted_at !== null) return <StateBadge tone="neutral">{t.deleted}</StateBadge>;
  const isNamed = row.name !== null && row.email !== null;
  return (
    <span
      className={classes["name"]}
      title={isNamed ? `${row.name} · ${row.email}` : (row.name ?? row.email ?? row.id)}
    >
      <bdi>{row.name ?? row.email ?? row.id}</bdi>
      {isNamed ? <span className={classes["email"]}> · {row.email}</span> : null}
    </span>
  );
}
