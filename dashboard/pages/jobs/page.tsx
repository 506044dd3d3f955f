import type { JobRow } from "../../../src/admin/jobs/schema.ts";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useJobName } from "../../words/job-name.ts";
import { useWords } from "../../words/use-words.ts";
import { Duration } from "./duration.tsx";
import { JobPanel } from "./job-panel.tsx";
import { JobState } from "./job-state.tsx";
import { JOBS_QUERY, useJobs } from "./use-jobs.ts";
import { words } from "./words.ts";

/** Scheduled jobs with their last and next run; a job's panel has its history. */
export function JobsPage() {
  const t = useWords(words);
  const { data, error, refetch } = useJobs();
  const name = useParam("name");
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <DataTable
        caption={t.title}
        columns={useColumns()}
        rows={data}
        rowKey={(job) => job.name}
        rowLink={(job) => `/jobs/${encodeURIComponent(job.name)}`}
        linksToPanel
        error={error}
        onRetry={refetch}
        empty={<EmptyState title={t.none} hint={t.noneHint} />}
      />
      {name === null ? null : <JobPanel name={name} closeTo="/jobs" />}
    </Page>
  );
}

JobsPage.prefetchedQueries = () => [JOBS_QUERY];

function useColumns(): Column<JobRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const nameOf = useJobName();
  return [
    { key: "name", onPhone: "first", header: t.job, render: ({ name }) => nameOf(name) },
    { key: "state", onPhone: "second", header: t.state, render: (job) => <JobState job={job} /> },
    {
      key: "last",
      onPhone: "named",
      header: t.lastRun,
      width: "140px",
      render: ({ started_at }) => <Time at={started_at} />,
    },
    { key: "took", header: t.took, align: "right", render: ({ duration_ms }) => <Duration ms={duration_ms} /> },
    {
      key: "count",
      header: t.count,
      align: "right",
      render: ({ items }) => (items === null ? "—" : format.number(items)),
    },
    {
      key: "next",
      onPhone: "named",
      header: t.next,
      width: "160px",
      render: ({ can_run, next_at }) => (can_run ? <Time at={next_at} /> : t.notScheduled),
    },
  ];
}
