import { Button } from "@mantine/core";
import type { TimelineEntry } from "../../../src/admin/customers/schema.ts";
import { useSession } from "../../api/session.ts";
import { useAllotmentColumns, useReasonParts } from "../../ui/lists/allotment-columns.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { AllotmentSource } from "../../ui/values/allotment-source.tsx";
import { Clamped } from "../../ui/values/clamped.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { ledgerWords } from "./ledger-words.ts";

/** The columns of a customer's timeline; `onUndo` null: nothing can be undone. */
export function useTimelineColumns(onUndo: ((row: TimelineEntry) => void) | null): readonly Column<TimelineEntry>[] {
  const t = useWords(ledgerWords);
  const { can } = useSession();
  const { time, type, points, balance } = useAllotmentColumns();
  const mayUndo = can("points.adjust") && onUndo !== null;
  return [
    { ...time, onPhone: "second" },
    { ...type, onPhone: "first" },
    { ...points, onPhone: "first" },
    { ...balance, onPhone: "named" },
    { key: "reason", onPhone: "second", header: t.reason, render: (row) => <Reason row={row} /> },
    { key: "source", onPhone: "second", header: t.source, width: "168px", render: (row) => <Source row={row} /> },
    { key: "who", header: t.who, width: "112px", render: (row) => <Who row={row} /> },
    {
      key: "undo",
      onPhone: "second",
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

function Reason({ row }: { row: TimelineEntry }) {
  const t = useWords(ledgerWords);
  const format = useFormat();
  const reasonParts = useReasonParts();
  const isMovedIn = row.type === "csv" && row.origin === "migration" && row.app_reference !== "dashboard";
  const said = [
    ...(row.undoes == null ? [] : [nameOf(t.undoes, row.undoes)]), // a node of an older version does not send it
    ...(isMovedIn ? [t.movedIn] : []),
    ...reasonParts(row),
    ...(row.own_date === null ? [] : [t.ownDate(format.date(row.own_date))]),
    ...(row.earned_at === null ? [] : [t.earnedAt(format.date(row.earned_at))]),
  ];
  return (
    <Clamped>
      {row.undone_by === null ? null : <StateBadge tone="neutral">{t.undone}</StateBadge>} {said.join(" · ")}
    </Clamped>
  );
}

function Source({ row }: { row: TimelineEntry }) {
  const orderId = row.parent?.startsWith("order-") === true ? row.parent.slice("order-".length) : null;
  return <AllotmentSource orderId={orderId} orderName={row.order_name} object={row.object} app={row.app_reference} />;
}

function Who({ row }: { row: TimelineEntry }) {
  const t = useWords(ledgerWords);
  if (row.actor === null) return "—";
  return (
    <Clamped>
      {row.actor}
      {row.approved_by === null ? null : `, ${t.approvedBy(row.approved_by)}`}
    </Clamped>
  );
}
