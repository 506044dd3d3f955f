import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { HomeData } from "../../../src/admin/home/schema.ts";
import { dataQuery } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { BACKLOG_QUERY, IntakeBacklog } from "../../ui/intake-backlog.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { Attention } from "./attention.tsx";
import { ChartsPart } from "./charts-part.tsx";
import { Checklist, isSetupOpen } from "./checklist.tsx";
import { Figures } from "./figures.tsx";
import classes from "./home.module.css";
import { HomeSkeleton } from "./home-skeleton.tsx";
import { PeriodChoice } from "./period-choice.tsx";
import { TiersPart } from "./tiers-part.tsx";
import { words } from "./words.ts";

const REFRESH_MS = 60_000;
const NO_PERIOD = { days: "30", preset: "", from: "", to: "" };

function homeQuery({ days, preset, from, to }: typeof NO_PERIOD) {
  const asked = from !== "" ? { from, to } : preset !== "" ? { preset } : { days };
  return {
    queryKey: ["home", asked],
    queryFn: dataQuery<HomeData>("/home", asked),
  };
}

/** The store's overview: movements of a period, customers, expiries, and conditions that need a person. */
export function HomePage() {
  const t = useWords(words);
  const [period, setPeriod] = useUrlState(NO_PERIOD);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...homeQuery(period),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const isNew = data !== undefined && !data.setup.has_points;
  return (
    <Page
      title={t.title}
      subtitle={data === undefined || isNew ? undefined : <Counted data={data} />}
      action={isNew ? undefined : <PeriodChoice period={period} shown={data} onChange={setPeriod} />}
    >
      {data === undefined && error !== null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined && error === null ? <HomeSkeleton /> : null}
      {data === undefined ? null : isNew ? (
        <div className={classes["body"]}>
          <Attention health={data.health} saysWell={false} />
          <IntakeBacklog />
          <Checklist setup={data.setup} />
        </div>
      ) : (
        <HomeBody data={data} isStale={isPlaceholderData} />
      )}
    </Page>
  );
}

HomePage.prefetchedQueries = ({ search }: Address) => [homeQuery(urlState(NO_PERIOD, search)), BACKLOG_QUERY];

function Counted({ data }: { data: HomeData }) {
  const t = useWords(words);
  return (
    <>
      {t.asOf}
      <Time at={data.as_of} />
    </>
  );
}

function HomeBody({ data, isStale }: { data: HomeData; isStale: boolean }) {
  const t = useWords(words);
  const { can } = useSession();
  return (
    <div className={classes["body"]} data-stale={isStale || undefined} aria-busy={isStale}>
      {data.is_rebuilding ? <p className={classes["note"]}>{t.rebuilding}</p> : null}
      <Figures data={data} />
      <Attention health={data.health} saysWell />
      <IntakeBacklog />
      {can("program.change") && isSetupOpen(data.setup) ? <Checklist setup={data.setup} onlyOpen /> : null}
      <ChartsPart data={data} />
      <TiersPart customers={data.customers} />
    </div>
  );
}
