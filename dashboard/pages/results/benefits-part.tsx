import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { BenefitMonthRow, BenefitsAnswer } from "../../../src/admin/results/schema.ts";
import { BENEFIT_KINDS, type BenefitKind } from "../../../src/wire/benefits.ts";
import { apiQuery } from "../../api/client.ts";
import { trimEmptyMonths } from "../../ui/charts/trim-empty-months.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { CountedAt } from "../../ui/values/counted-at.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { type BenefitList, BenefitListPanel } from "./benefit-list-panel.tsx";
import classes from "./results.module.css";
import { words } from "./words.ts";

/** `list` is the open figure; empty: none. */
const COUPONS = { benefit: "coupon", list: "", month: "", after: "" };
const REFRESH_MS = 60_000;

export const BENEFITS_QUERY = {
  queryKey: ["results", "benefits"],
  queryFn: apiQuery<BenefitsAnswer>("/results/benefits"),
};

/** The months of the last year, or all of them together. */
type Row = Omit<BenefitMonthRow, "month"> & { readonly month: string | null };

/** The cost and effect of coupons, or of the rewards of a kind, in each month. */
export function BenefitsPart() {
  const t = useWords(words);
  const [asked, ask] = useUrlState(COUPONS);
  const { data, error, refetch } = useQuery({ ...BENEFITS_QUERY, refetchInterval: REFRESH_MS });
  const kind = BENEFIT_KINDS.find((one) => one === asked.benefit) ?? "coupon";
  const months = data?.data.find((one) => one.kind === kind)?.months;
  const isCoupon = kind === "coupon";
  return (
    <>
      <FilterBar>
        <NativeSelect
          aria-label={t.benefit}
          value={kind}
          onChange={(event) => ask({ benefit: event.currentTarget.value })}
        >
          {BENEFIT_KINDS.map((one) => (
            <option key={one} value={one}>
              {t.benefits[one]}
            </option>
          ))}
        </NativeSelect>
      </FilterBar>
      <CountedAt at={data?.counted_at} words={t} />
      <DataTable
        caption={t.benefitsList}
        columns={useColumns(kind)}
        rows={months && [sumOf(months), ...(trimEmptyMonths(months, ({ benefits }) => benefits === 0) ?? [])]}
        rowKey={({ month }) => month ?? "all"}
        error={error}
        onRetry={() => void refetch()}
        empty={t.none}
      />
      <p className={classes["hint"]}>{isCoupon ? t.couponsAbout : t.rewardsAbout}</p>
      {asked.list === "" ? null : (
        <BenefitListPanel
          kind={kind}
          list={asked.list}
          month={asked.month}
          after={asked.after}
          closeTo={listPath(kind)}
          onAfter={(after) => ask({ after })}
        />
      )}
    </>
  );
}

function sumOf(months: readonly BenefitMonthRow[]): Row {
  const sum = (name: Exclude<keyof BenefitMonthRow, "month">) => months.reduce((all, row) => all + row[name], 0);
  return {
    month: null,
    benefits: sum("benefits"),
    points: sum("points"),
    returned: sum("returned"),
    cost_minor: sum("cost_minor"),
    used: sum("used"),
    over: sum("over"),
    ordered: sum("ordered"),
  };
}

function listPath(benefit: BenefitKind, open: { list?: BenefitList; month?: string } = {}): string {
  return `/results/benefits?${new URLSearchParams({ benefit, ...open })}`;
}

function useColumns(kind: BenefitKind): Column<Row>[] {
  const t = useWords(words);
  const isCoupon = kind === "coupon";
  const toList = (list: BenefitList, { month: of }: Row, count: number, text: string) =>
    count === 0 ? (
      text
    ) : (
      <PageLink to={listPath(kind, { list, ...(of === null ? {} : { month: of }) })} keepScroll>
        {text}
      </PageLink>
    );
  const format = useFormat();
  const right = { align: "right" } as const;
  const share = (part: number, of: number) => (of === 0 ? "—" : format.percent(part / of));
  const month = ({ month: text }: Row) => (text === null ? t.twelveMonths : format.month(text));
  const coupons: Column<Row>[] = [
    {
      key: "used",
      header: t.used,
      onPhone: "named",
      ...right,
      render: (row) => {
        const text =
          row.used === 0 ? format.number(0) : `${format.number(row.used)} (${share(row.used, row.benefits)})`;
        return toList("used", row, row.used, text);
      },
    },
    { key: "returned", header: t.returned, ...right, render: (row) => format.points(row.returned) },
  ];
  return [
    { key: "month", header: t.month, isShort: true, onPhone: "first", render: month },
    {
      key: "benefits",
      header: isCoupon ? t.taken : t.given,
      onPhone: "named",
      ...right,
      render: (row) => toList("all", row, row.benefits, format.number(row.benefits)),
    },
    { key: "points", header: t.points, ...right, render: (row) => format.points(row.points) },
    ...(isCoupon ? coupons : []),
    { key: "cost", header: t.cost, onPhone: "named", ...right, render: (row) => format.money(row.cost_minor) },
    {
      key: "back",
      header: t.broughtBack,
      onPhone: "named",
      ...right,
      render: (row) => toList("ordered", row, row.ordered, share(row.ordered, row.over)),
    },
  ];
}
