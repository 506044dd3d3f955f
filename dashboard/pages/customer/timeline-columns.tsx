import { Button } from "@mantine/core";
import type { LedgerRow } from "../../../src/admin/customers/schema.ts";
import { useSession } from "../../api/session.ts";
import type { Column } from "../../ui/data-table.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { Points } from "../../ui/points.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { ledgerWords } from "./ledger-words.ts";

/** The columns of a customer's timeline; `onUndo` null: nothing can be undone. */
export function useTimelineColumns(onUndo: ((row: LedgerRow) => void) | null): readonly Column<LedgerRow>[] {
  const t = useWords(ledgerWords);
  const { can } = useSession();
  const mayUndo = can("points.adjust") && onUndo !== null;
  return [
    { key: "time", header: t.time, width: "112px", render: (row) => <Time at={row.allotted_at} /> },
    { key: "type", header: t.type, width: "128px", render: (row) => <Type row={row} /> },
    {
      key: "points",
      header: t.points,
      align: "right",
      width: "88px",
      render: (row) => <Points value={row.point_value} signed />,
    },
    {
      key: "balance",
      header: t.balance,
      align: "right",
      width: "88px",
      render: (row) => <Points value={row.balance_after} />,
    },
    { key: "reason", header: t.reason, render: (row) => <Reason row={row} /> },
    { key: "source", header: t.source, width: "168px", render: (row) => <Source row={row} /> },
    { key: "who", header: t.who, width: "112px", render: (row) => <Who row={row} /> },
    {
      key: "undo",
      header: "",
      align: "right",
      width: "80px",
      render: (row) =>
        mayUndo && row.can_undo ? (
          <Button size="compact-sm" variant="subtle" onClick={() => onUndo(row)}>
            {t.undo}
          </Button>
        ) : null,
    },
  ];
}

function Type({ row }: { row: LedgerRow }) {
  const t = useWords(ledgerWords);
  return nameOf(t.types, row.type);
}

function Reason({ row }: { row: LedgerRow }) {
  const t = useWords(ledgerWords);
  const kind = row.reason_type === null || row.reason_type === row.type ? null : nameOf(t.reasons, row.reason_type);
  const isUndo = row.type === "manual" && row.object?.startsWith("allotment-") === true;
  const said = [isUndo ? t.isUndo : null, kind, row.note].filter((part) => part !== null);
  return (
    <span className={classes["text"]}>
      {row.undone_by === null ? null : <StateBadge tone="neutral">{t.undone}</StateBadge>} {said.join(" · ")}
    </span>
  );
}

/** The order where there is one, else what moved the points. */
function Source({ row }: { row: LedgerRow }) {
  const t = useWords(ledgerWords);
  const orderId = row.parent?.startsWith("order-") === true ? row.parent.slice("order-".length) : null;
  if (orderId !== null) return <PageLink to={`/orders/${encodeURIComponent(orderId)}`}>{t.order(orderId)}</PageLink>;
  if (row.app_reference === "dashboard") return t.dashboard;
  return <span className={classes["text"]}>{row.object ?? row.app_reference}</span>;
}

function Who({ row }: { row: LedgerRow }) {
  const t = useWords(ledgerWords);
  if (row.actor === null) return "—";
  return (
    <span className={classes["text"]}>
      {row.actor}
      {row.approved_by === null ? null : `, ${t.approvedBy(row.approved_by)}`}
    </span>
  );
}

/** The name of a type or reason; one that a newer service has is shown as it is called there. */
export function nameOf(names: Readonly<Record<string, string>>, key: string): string {
  return names[key] ?? key;
}
