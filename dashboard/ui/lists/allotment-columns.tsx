import { allotmentWords } from "../../words/allotment-words.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { Points } from "../values/points.tsx";
import { Time } from "../values/time.tsx";
import type { Column } from "./data-table.tsx";

/** The common fields of all lists of allotments. */
interface AllotmentRow {
  readonly allotted_at: string;
  readonly type: string;
  readonly reason_type: string | null;
  readonly object: string | null;
  readonly point_value: number;
  readonly balance_after: number;
}

/** The columns that every list of allotments has. */
export function useAllotmentColumns() {
  const t = useWords(allotmentWords);
  const nameOfKind = useAllotmentName();
  const columns = {
    time: {
      key: "time",
      header: t.time,
      width: "112px",
      isShort: true,
      render: (row) => <Time at={row.allotted_at} />,
    },
    type: { key: "type", header: t.type, width: "128px", isShort: true, render: nameOfKind },
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

/**
 * Returns the name of an allotment: that of its type, but for the interface that of its object, since "API" does not explain why a customer's points
 * changed.
 */
export function useAllotmentName() {
  const t = useWords(allotmentWords);
  return ({ type, reason_type, object }: Pick<AllotmentRow, "type" | "reason_type" | "object">): string => {
    if (type !== "api") return nameOf(t.types, type);
    if (object?.startsWith("review-") === true) return t.objects.review;
    return reason_type === null ? t.types.api : nameOf(t.reasons, reason_type);
  };
}

/** The reason type, if it says more than the type, and the note. */
export function useReasonParts() {
  const t = useWords(allotmentWords);
  return (row: { type: string; reason_type: string | null; note: string | null }): string[] => {
    const { type, reason_type: reason } = row;
    const kind = reason === null || reason === type || type === "api" ? null : nameOf(t.reasons, reason);
    return [kind, row.note].filter((part) => part !== null);
  };
}
