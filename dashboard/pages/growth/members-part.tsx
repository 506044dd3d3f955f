import type { GrowthAnswer, GrowthMonthRow } from "../../../src/admin/growth/schema.ts";
import { trimEmptyMonths } from "../../ui/charts/trim-empty-months.ts";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { CountedAt } from "../../ui/values/counted-at.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { CHART_HEIGHT, ChartPart } from "./chart-part.tsx";
import { MembersChart } from "./charts.tsx";
import classes from "./growth.module.css";
import { MemberCount } from "./member-count.tsx";
import { useGrowth } from "./use-growth.ts";
import { words } from "./words.ts";

const ACTIVITIES = ["active", "lapsing", "once", "never"] as const;

/** How active the members are now, and who joined, ordered first and began to lapse in each month. */
export function MembersPart() {
  const t = useWords(words);
  const { data, error, refetch } = useGrowth<GrowthAnswer>("/growth");
  return (
    <>
      <CountedAt at={data?.counted_at} words={t} />
      {data === undefined && error !== null ? null : (
        <>
          <Activity customers={data?.data.customers} />
          <ChartPart title={t.membersList} about={t.membersChart} data={data?.data.months} isEmpty={hasNothing}>
            {(months) => <MembersChart months={months} height={CHART_HEIGHT} />}
          </ChartPart>
        </>
      )}
      <DataTable
        caption={t.membersList}
        columns={useColumns()}
        rows={trimEmptyMonths(data?.data.months, isEmpty)}
        rowKey={({ month }) => month}
        error={error}
        onRetry={() => void refetch()}
        empty={t.none}
      />
      <p className={classes["hint"]}>{t.membersAbout}</p>
    </>
  );
}

function hasNothing(months: GrowthAnswer["data"]["months"]): boolean {
  return months.every(isEmpty);
}

function isEmpty({ joined, first_ordered: ordered, lapsed }: GrowthMonthRow): boolean {
  return joined + ordered + lapsed === 0;
}

/** The counts; only their names during the first read, so that nothing below them moves. */
function Activity({ customers }: { customers: GrowthAnswer["data"]["customers"] | undefined }) {
  const t = useWords(words);
  const format = useFormat();
  const share = (part: number) => (customers === undefined || customers.all === 0 ? 0 : part / customers.all);
  return (
    <dl className={classes["figures"]}>
      <div>
        <dt>{t.all}</dt>
        <dd>{customers === undefined ? "…" : <MemberCount members={customers.all} name={t.all} filter={{}} />}</dd>
      </div>
      {ACTIVITIES.map((activity) => (
        <div key={activity}>
          <dt>{t.activities[activity]}</dt>
          <dd>
            {customers === undefined ? (
              "…"
            ) : (
              <>
                <MemberCount members={customers[activity]} name={t.activities[activity]} filter={{ activity }} />{" "}
                <span className={classes["share"]}>
                  {customers.all === 0 ? "" : format.percent(share(customers[activity]))}
                </span>
              </>
            )}
            <div className={classes["meter"]} aria-hidden="true">
              <span style={{ width: `${100 * share(customers?.[activity] ?? 0)}%` }} />
            </div>
          </dd>
          <dd className={classes["about"]}>{t.activityHints[activity]}</dd>
        </div>
      ))}
    </dl>
  );
}

function useColumns(): Column<GrowthMonthRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const figure = (key: "joined" | "first_ordered" | "lapsed", condition: string): Column<GrowthMonthRow> => ({
    key,
    header: t.figures[key],
    align: "right",
    onPhone: "named",
    render: (row) => (
      <MemberCount
        members={row[key]}
        name={t.nameOf(t.figures[key], format.month(row.month))}
        filter={{ [condition]: row.month }}
      />
    ),
  });
  return [
    { key: "month", header: t.month, isShort: true, onPhone: "first", render: ({ month }) => format.month(month) },
    figure("joined", "joined_month"),
    figure("first_ordered", "first_ordered_month"),
    figure("lapsed", "lapsed_month"),
  ];
}
