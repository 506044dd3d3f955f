import { NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ResultRow, ResultsPage as ResultsData } from "../../../src/admin/results/schema.ts";
import { apiQuery } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { Page } from "../../ui/layout/page.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { TabLinks } from "../../ui/layout/tab-links.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useParam } from "../../ui/urls/use-param.ts";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { CountedAt } from "../../ui/values/counted-at.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { BENEFITS_QUERY, BenefitsPart } from "./benefits-part.tsx";
import { changeBetween } from "./change.ts";
import { ResultPanel } from "./result-panel.tsx";
import classes from "./results.module.css";
import { RunPeriod, RunState } from "./run-parts.tsx";
import { words } from "./words.ts";

const NOTHING_ASKED = { kind: "", after: "" };
const LIST = { list: "results", path: "/results", file: "/results.csv", defaults: NOTHING_ASKED } as const;
const REFRESH_MS = 60_000;

const listQuery = (asked: typeof NOTHING_ASKED) => ({
  queryKey: ["results", "list", asked],
  queryFn: apiQuery<ResultsData>("/results", asked),
});

const TABS = ["runs", "benefits"] as const;

/** The results of campaigns, bonus collections, coupons and rewards. */
export function ResultsPage() {
  const t = useWords(words);
  const current = useParam("id") === "benefits" ? "benefits" : "runs";
  const [asked] = useUrlState(NOTHING_ASKED);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitles[current]}
      action={current === "runs" ? <ListActions {...LIST} filters={asked} /> : undefined}
    >
      <TabLinks
        label={t.title}
        tabs={TABS.map((tab) => ({
          to: tab === "runs" ? "/results" : "/results/benefits",
          label: t.tabs[tab],
          isCurrent: tab === current,
        }))}
      />
      {current === "benefits" ? <BenefitsPart /> : <RunsPart />}
    </Page>
  );
}

ResultsPage.prefetchedQueries = ({ search, params }: Address) =>
  params["id"] === "benefits" ? [BENEFITS_QUERY] : [listQuery(urlState(NOTHING_ASKED, search))];

/** Campaigns and bonus collections; one of them in a panel. */
function RunsPart() {
  const t = useWords(words);
  const id = useParam("id");
  const [asked, ask] = useUrlState(NOTHING_ASKED);
  const search = writeSearch(asked);
  const list = useQuery({
    ...listQuery(asked),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <FilterBar>
        <NativeSelect
          aria-label={t.kind}
          value={asked.kind}
          onChange={(event) => ask({ kind: event.currentTarget.value, after: "" })}
        >
          <option value="">{t.all}</option>
          <option value="campaign">{t.kinds.campaign}</option>
          <option value="bonus">{t.kinds.bonus}</option>
        </NativeSelect>
      </FilterBar>
      <CountedAt at={list.data?.counted_at} words={t} />
      <PagedTable
        caption={t.list}
        list={list}
        after={asked.after}
        onAfter={(after) => ask({ after })}
        columns={useColumns()}
        rowKey={(run) => run.id}
        rowLink={(run) => `/results/${run.id}${search}`}
        linksToPanel
        empty={<NoRuns />}
      />
      {id === null ? null : <ResultPanel id={id} closeTo={`/results${search}`} />}
    </>
  );
}

function NoRuns() {
  const t = useWords(words);
  return (
    <EmptyState title={t.none} hint={t.noneHint} action={<PageLink to="/program/campaigns">{t.toProgram}</PageLink>} />
  );
}

function useColumns(): Column<ResultRow>[] {
  const t = useWords(words);
  const format = useFormat();
  /** A figure is shown only after the start: zeros would look like a result. */
  const figure = (key: string, header: string, text: (run: ResultRow) => string): Column<ResultRow> => ({
    key,
    header,
    align: "right",
    render: (run) => (run.state === "planned" ? "—" : text(run)),
  });
  return [
    {
      key: "name",
      onPhone: "first",
      header: t.name,
      render: (run) => (
        <>
          {run.name} <span className={classes["kind"]}>{t.kinds[run.kind]}</span>
        </>
      ),
    },
    { ...figure("revenue", t.revenue, (run) => format.money(run.revenue_minor)), onPhone: "first" },
    { key: "change", onPhone: "named", header: t.change, align: "right", render: (run) => <Change run={run} /> },
    figure("extra", t.extraCost, (run) => format.money(run.extra_cost_minor)),
    figure("orders", t.orders, (run) => format.number(run.orders)),
    figure("customers", t.customers, (run) => format.number(run.customers)),
    figure("points", t.points, (run) => format.points(run.points)),
    { key: "state", onPhone: "second", header: t.state, render: (run) => <RunState run={run} /> },
    { key: "period", onPhone: "second", header: t.period, render: (run) => <RunPeriod run={run} /> },
  ];
}

function Change({ run: { before, revenue_minor } }: { run: ResultRow }) {
  const t = useWords(words);
  const format = useFormat();
  const change = before === null ? null : changeBetween(before.revenue_minor, revenue_minor);
  if (change === null) return "—";
  const text = format.change(change);
  return <span title={t.changeOf(text)}>{text}</span>;
}
