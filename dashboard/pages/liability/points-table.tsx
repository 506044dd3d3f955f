import { MOVEMENT_KINDS, type MovementKind } from "../../../src/wire/liability.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import type { Report } from "./use-liability.ts";
import { nameWords, words } from "./words.ts";

const ALWAYS: readonly MovementKind[] = ["issued", "returned", "redeemed", "expired"];

/** A line of points, and the filters of its figures. */
export interface PointRow {
  readonly key: string;
  readonly name: string;
  readonly narrowed: Readonly<Record<string, string>>;
  readonly points: Report["total"];
}

const TOTAL = "total";

/** The last row is highlighted. */
function strongOf({ key }: PointRow, text: string) {
  return key === TOTAL ? <strong>{text}</strong> : text;
}

interface PointsTableProps {
  caption: string;
  header: string;
  month: string;
  total: Report["total"];
  rows: readonly PointRow[];
}

/** Points from opening to closing; each figure links to its allotments. Kinds without points are left out. */
export function PointsTable({ caption, header, month, total, rows }: PointsTableProps) {
  const t = useWords(words);
  const { kinds } = useWords(nameWords);
  const format = useFormat();
  const shown = MOVEMENT_KINDS.filter((kind) => ALWAYS.includes(kind) || total[kind] !== 0);
  const columns: Column<PointRow>[] = [
    { key: "name", onPhone: "first", header, render: (row) => strongOf(row, row.name), isShort: true },
    {
      key: "opening",
      onPhone: "named",
      header: t.opening,
      align: "right",
      render: (row) => strongOf(row, format.points(row.points.opening)),
    },
    ...shown.map(
      (kind): Column<PointRow> => ({
        key: kind,
        onPhone: "named",
        header: kinds[kind],
        align: "right",
        render: (row) => {
          const text = strongOf(row, format.points(row.points[kind]));
          if (row.points[kind] === 0) return text;
          return <PageLink to={movementsPath(kind, { month, ...row.narrowed })}>{text}</PageLink>;
        },
      }),
    ),
    {
      key: "closing",
      onPhone: "named",
      header: t.closing,
      align: "right",
      render: (row) => strongOf(row, format.points(row.points.closing)),
    },
  ];
  const all: PointRow = { key: TOTAL, name: t.total, narrowed: {}, points: total };
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows.length === 0 ? [] : [...rows, all]}
      rowKey={({ key }) => key}
      empty={t.noPoints}
    />
  );
}

export function movementsPath(kind: MovementKind, query: Readonly<Record<string, string>>): string {
  return `/liability/${kind}?${new URLSearchParams(query)}`;
}
