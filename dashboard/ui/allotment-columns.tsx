import { allotmentWords } from "../words/allotment-words.ts";
import { nameOf } from "../words/name-of.ts";
import { useWords } from "../words/use-words.ts";
import type { Column } from "./data-table.tsx";
import { Points } from "./points.tsx";
import { Time } from "./time.tsx";

/** What the lists of allotments have in common. */
interface AllotmentRow {
  readonly allotted_at: string;
  readonly type: string;
  readonly point_value: number;
  readonly balance_after: number;
}

/** The columns that every list of allotments has. */
export function useAllotmentColumns() {
  const t = useWords(allotmentWords);
  const columns = {
    time: {
      key: "time",
      header: t.time,
      width: "112px",
      isShort: true,
      render: (row) => <Time at={row.allotted_at} />,
    },
    type: { key: "type", header: t.type, width: "128px", isShort: true, render: (row) => nameOf(t.types, row.type) },
    points: {
      key: "points",
      header: t.points,
      align: "right",
      width: "88px",
      render: (row) => <Points value={row.point_value} signed />,
    },
    balance: {
      key: "balance",
      header: t.balance,
      align: "right",
      width: "88px",
      render: (row) => <Points value={row.balance_after} />,
    },
  } satisfies Readonly<Record<string, Column<AllotmentRow>>>;
  return columns;
}

/** The kind of reason, where it says more than the type, and the note that somebody left. */
export function useReasonParts() {
  const t = useWords(allotmentWords);
  return (row: { type: string; reason_type: string | null; note: string | null }): string[] => {
    const kind = row.reason_type === null || row.reason_type === row.type ? null : nameOf(t.reasons, row.reason_type);
    return [kind, row.note].filter((part) => part !== null);
  };
}
