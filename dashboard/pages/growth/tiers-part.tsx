import { lazy, Suspense, useEffect } from "react";
import type { TierMonthRow, TiersOverTimeAnswer } from "../../../src/admin/growth/schema.ts";
import { loadCode, prefetchCode } from "../../api/code.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { CountedAt } from "../../ui/values/counted-at.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { ChartPart } from "./chart-part.tsx";
import { MovesChart, TiersChart } from "./charts.tsx";
import classes from "./growth.module.css";
import { keptPath, movesPath, NO_MOVES, NO_STAYS, tierMembersPath } from "./tier-addresses.ts";
import { useGrowth } from "./use-growth.ts";
import { words } from "./words.ts";

/** Panels, pagers and menus are more code than the rest of the page, so its first figures do not wait for them. */
const loadPanels = async () => ({ default: (await import("./tier-panels.tsx")).TierPanels });
const TierPanels = lazy(loadCode(loadPanels));
const NO_LIST = { ...NO_MOVES, ...NO_STAYS };
const MOVES_HEIGHT = 240;
/** The height of two rows of small charts with their names: four tiers on most screens. */
const TIERS_HEIGHT = 346;

/** Members by tier at the end of each month, and the moves within it. */
export function TiersPart() {
  const t = useWords(words);
  const { data, error, refetch } = useGrowth<TiersOverTimeAnswer>("/growth/tiers");
  return (
    <>
      <CountedAt at={data?.counted_at} words={t} />
      {data === undefined && error !== null ? null : <Charts answer={data} />}
      <DataTable
        caption={t.tiersList}
        columns={useColumns(data?.tiers ?? [], data?.data[0]?.month)}
        rows={data?.data}
        rowKey={({ month }) => month}
        error={error}
        onRetry={() => void refetch()}
        empty={t.none}
      />
      <p className={classes["hint"]}>{t.tiersAbout}</p>
      <OpenList figures={data} />
    </>
  );
}

function OpenList({ figures }: { figures: TiersOverTimeAnswer | undefined }) {
  const [{ month, stays }] = useUrlState(NO_LIST);
  useEffect(() => prefetchCode(loadPanels), []);
  if (month === "" && stays === "") return null;
  return (
    <Suspense fallback={null}>
      <TierPanels figures={figures} />
    </Suspense>
  );
}

function Charts({ answer }: { answer: TiersOverTimeAnswer | undefined }) {
  const t = useWords(words);
  return (
    <>
      <ChartPart
        title={t.tiersList}
        about={t.tiersChart}
        height={TIERS_HEIGHT}
        data={answer}
        isEmpty={({ data }) => data.every(({ customers }) => customers.every((count) => count === 0))}
      >
        {({ data, tiers }) => <TiersChart months={data} tiers={tiers} />}
      </ChartPart>
      <ChartPart
        title={t.movesTitle}
        about={t.movesChart}
        height={MOVES_HEIGHT}
        data={answer}
        isEmpty={({ data }) => data.every(({ up, down }) => up + down === 0)}
      >
        {({ data }) => <MovesChart months={data} height={MOVES_HEIGHT} />}
      </ChartPart>
    </>
  );
}

/** The newest month's members are the present ones, which the customers page lists. */
function useColumns(tiers: TiersOverTimeAnswer["tiers"], newest: string | undefined): Column<TierMonthRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const moves = (["up", "down", "kept"] as const).map(
    (move): Column<TierMonthRow> => ({
      key: move,
      header: t.moves[move],
      align: "right",
      onPhone: "named",
      render: (row) =>
        row[move] === 0 ? (
          format.number(row[move])
        ) : (
          <PageLink to={move === "kept" ? keptPath(row.month) : movesPath(row.month, move)} keepScroll>
            {format.number(row[move])}
          </PageLink>
        ),
    }),
  );
  const members = tiers.map(
    ({ uid, name }, place): Column<TierMonthRow> => ({
      key: uid,
      header: name,
      align: "right",
      onPhone: "named",
      render: ({ month, customers }) => {
        const text = format.number(customers[place] ?? 0);
        if (text === "0") return text;
        if (month === newest) return <PageLink to={`/customers?tier=${uid}`}>{text}</PageLink>;
        return (
          <PageLink to={tierMembersPath(month, uid)} keepScroll>
            {text}
          </PageLink>
        );
      },
    }),
  );
  return [
    { key: "month", header: t.month, isShort: true, onPhone: "first", render: ({ month }) => format.month(month) },
    ...members,
    ...moves,
  ];
}
