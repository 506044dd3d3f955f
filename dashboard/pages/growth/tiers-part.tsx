import type { TierMonthRow, TiersOverTimeAnswer } from "../../../src/admin/growth/schema.ts";
import { CountedAt } from "../../ui/counted-at.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./growth.module.css";
import { useGrowth } from "./use-growth.ts";
import { words } from "./words.ts";

/** Members by tier at the end of each month, and who moved in it. */
export function TiersPart() {
  const t = useWords(words);
  const { data, error, refetch } = useGrowth<TiersOverTimeAnswer>("/growth/tiers");
  return (
    <>
      <CountedAt at={data?.counted_at} words={t} />
      <DataTable
        caption={t.tiersList}
        columns={useColumns(data?.tiers ?? [])}
        rows={data?.data}
        rowKey={({ month }) => month}
        error={error}
        onRetry={() => void refetch()}
        empty={t.none}
      />
      <p className={classes["hint"]}>{t.tiersAbout}</p>
    </>
  );
}

function useColumns(tiers: TiersOverTimeAnswer["tiers"]): Column<TierMonthRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const moves = (["up", "down", "kept"] as const).map(
    (move): Column<TierMonthRow> => ({
      key: move,
      header: t.moves[move],
      align: "right",
      onPhone: "named",
      render: (row) => format.number(row[move]),
    }),
  );
  const members = tiers.map(
    ({ uid, name }, place): Column<TierMonthRow> => ({
      key: uid,
      header: name,
      align: "right",
      onPhone: "named",
      render: (row) => format.number(row.customers[place] ?? 0),
    }),
  );
  return [
    { key: "month", header: t.month, isShort: true, onPhone: "first", render: ({ month }) => format.month(month) },
    ...members,
    ...moves,
  ];
}
