import type { HomeData } from "../../../src/admin/home/schema.ts";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import type { DayGroup, Grouping } from "./grouped-days.ts";
import { ledgerLink } from "./list-links.ts";
import { words } from "./words.ts";

const FLOWS = ["issued", "spent", "expired", "refunded", "returned", "adjusted"] as const;

interface FlowsTableProps {
  groups: readonly DayGroup[];
  grouping: Grouping;
  lastDay: string;
}

/** Newest first; a row links to its allotments. */
export function FlowsTable({ groups, grouping, lastDay }: FlowsTableProps) {
  const t = useWords(words);
  const format = useFormat();
  const ends = new Map(groups.map(({ day }, index) => [day, dayBefore(groups[index + 1]?.day) ?? lastDay]));
  const columns: Column<DayGroup>[] = [
    {
      key: "day",
      onPhone: "first",
      header: { day: t.day, week: t.weekFrom, month: t.month }[grouping],
      render: ({ day }) => (grouping === "month" ? format.month(day) : format.day(day)),
    },
    ...FLOWS.map(
      (flow): Column<DayGroup> => ({
        key: flow,
        onPhone: "named",
        header: t[flow],
        align: "right",
        render: (group) => format.points(group[flow], flow === "adjusted"),
      }),
    ),
    {
      key: "outstanding",
      onPhone: "named",
      header: t.outstanding,
      align: "right",
      render: (group) => format.points(group.outstanding),
    },
  ];
  return (
    <DataTable
      caption={t.flows}
      rows={groups.toReversed()}
      rowKey={({ day }) => day}
      rowLink={({ day }) => ledgerLink({ from: day, to: ends.get(day) ?? lastDay })}
      empty={t.noPoints}
      columns={columns}
    />
  );
}

export function ExpiringTable({ months }: { months: HomeData["expiring"]["months"] }) {
  const t = useWords(words);
  const format = useFormat();
  return (
    <DataTable
      caption={t.expiringAbout}
      rows={months}
      rowKey={({ month }) => month}
      empty={t.expiringNone}
      columns={[
        { key: "month", header: t.month, render: ({ month }) => format.month(month) },
        { key: "points", header: t.points, align: "right", render: ({ points }) => format.points(points) },
      ]}
    />
  );
}

function dayBefore(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}
