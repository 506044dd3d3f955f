import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ResultAnswer, ResultTier } from "../../../src/admin/results/schema.ts";
import { apiGet } from "../../api/client.ts";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { changeBetween } from "./change.ts";
import classes from "./results.module.css";
import { lastDay, RunPeriod, RunState } from "./run-parts.tsx";
import { words } from "./words.ts";

type Run = ResultAnswer["data"];

/** One campaign or bonus: its sums, the weekdays before, its tiers. */
export function ResultPanel({ id, closeTo }: { id: string; closeTo: string }) {
  const t = useWords(words);
  const { data, error, refetch } = useQuery({
    queryKey: ["results", "one", id],
    queryFn: async ({ signal }) => (await apiGet<ResultAnswer>(`/results/${id}`, {}, signal)).data,
  });
  const failure =
    error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <SidePanel title={data?.name ?? t.title} closeTo={closeTo}>
      {data === undefined ? failure : <RunParts run={data} />}
    </SidePanel>
  );
}

function RunParts({ run }: { run: Run }) {
  const t = useWords(words);
  const format = useFormat();
  const tierCustomers = run.tiers.reduce((sum, { customers }) => sum + customers, 0);
  return (
    <>
      <Facts
        items={[
          [t.kind, t.kinds[run.kind]],
          ...(run.collection_id == null ? [] : [[t.collection, run.collection_id] as const]),
          [t.state, <RunState key="state" run={run} />],
          [t.period, <RunPeriod key="period" run={run} />],
          [t.customers, format.number(run.customers)],
          [t.cost, format.money(run.cost_minor)],
          [t.extra, format.points(run.extra_points)],
          [t.extraCost, format.money(run.extra_cost_minor)],
        ]}
      />
      <BeforePart run={run} />
      <Section title={t.byTier}>
        <DataTable
          caption={t.byTier}
          columns={useTierColumns()}
          rows={run.tiers}
          rowKey={({ uid }) => uid}
          empty={<p className={classes["hint"]}>{t.noOrders}</p>}
        />
        {tierCustomers > run.customers ? <p className={classes["hint"]}>{t.severalTiers}</p> : null}
      </Section>
      <p className={classes["hint"]}>
        {t.whatCounts} {run.kind === "bonus" ? t.bonusCounts : null}
      </p>
    </>
  );
}

interface Compared {
  readonly key: string;
  readonly label: string;
  readonly during: number;
  readonly before: number;
  show(value: number): string;
}

function BeforePart({ run }: { run: Run }) {
  const t = useWords(words);
  const format = useFormat();
  const columns = useBeforeColumns();
  const { before } = run;
  const rows: Compared[] =
    before === null
      ? []
      : [
          { key: "orders", label: t.orders, during: run.orders, before: before.orders, show: format.number },
          {
            key: "revenue",
            label: t.revenue,
            during: run.revenue_minor,
            before: before.revenue_minor,
            show: format.money,
          },
          { key: "points", label: t.points, during: run.points, before: before.points, show: format.points },
        ];
  return (
    <Section title={t.before}>
      {before === null ? (
        <p className={classes["hint"]}>{t.noBefore}</p>
      ) : (
        <>
          <p className={classes["hint"]}>
            {t.beforeOf(format.date(before.from), lastDay(before.to, format), t.weeks(before.weeks))}
          </p>
          {before.campaign_orders === 0 ? null : (
            <p className={classes["warning"]}>{t.otherCampaign(format.number(before.campaign_orders))}</p>
          )}
          <DataTable caption={t.before} columns={columns} rows={rows} rowKey={({ key }) => key} empty={t.noOrders} />
        </>
      )}
    </Section>
  );
}

function useBeforeColumns(): Column<Compared>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    { key: "what", header: t.figure, render: ({ label }) => label },
    { key: "during", header: t.during, align: "right", render: ({ during, show }) => show(during) },
    { key: "before", header: t.earlier, align: "right", render: ({ before, show }) => show(before) },
    {
      key: "change",
      header: t.difference,
      align: "right",
      render: ({ before, during }) => {
        const change = changeBetween(before, during);
        return change === null ? "—" : format.change(change);
      },
    },
  ];
}

function useTierColumns(): Column<ResultTier>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    { key: "tier", onPhone: "first", header: t.tier, render: ({ name }) => name ?? t.oldTier },
    {
      key: "orders",
      onPhone: "named",
      header: t.orders,
      align: "right",
      render: ({ orders }) => format.number(orders),
    },
    {
      key: "customers",
      onPhone: "named",
      header: t.customers,
      align: "right",
      render: ({ customers }) => format.number(customers),
    },
    {
      key: "revenue",
      onPhone: "named",
      header: t.revenue,
      align: "right",
      render: (tier) => format.money(tier.revenue_minor),
    },
    {
      key: "points",
      onPhone: "named",
      header: t.points,
      align: "right",
      render: ({ points }) => format.points(points),
    },
    {
      key: "extra",
      onPhone: "named",
      header: t.extra,
      align: "right",
      render: (tier) => format.points(tier.extra_points),
    },
  ];
}
