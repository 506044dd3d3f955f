import { Button, Skeleton } from "@mantine/core";
import type { JobAnswer, JobRunRow } from "../../../src/admin/jobs/schema.ts";
import { useSession } from "../../api/session.ts";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { Clamped } from "../../ui/values/clamped.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useJobName } from "../../words/job-name.ts";
import { useWords } from "../../words/use-words.ts";
import { Duration } from "./duration.tsx";
import { JobState, RunState } from "./job-state.tsx";
import classes from "./jobs.module.css";
import { useJob, useRunNow } from "./use-jobs.ts";
import { words } from "./words.ts";

type Job = JobAnswer["data"];

/** A job: its state, a button to run it now, and its runs. */
export function JobPanel({ name, closeTo }: { name: string; closeTo: string }) {
  const nameOf = useJobName();
  const { data, error, refetch } = useJob(name);
  const failure = error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={refetch} />;
  return (
    <SidePanel title={nameOf(name)} closeTo={closeTo}>
      {data === undefined ? failure : <JobParts job={data} />}
    </SidePanel>
  );
}

function JobParts({ job }: { job: Job }) {
  const t = useWords(words);
  const mayRun = useSession().can("jobs.run") && job.can_run;
  const run = useRunNow(job.name, () => notifyDone(t.asked));
  return (
    <>
      <JobFacts job={job} />
      {mayRun ? (
        <div>
          <Button loading={run.isPending} disabled={job.is_asked} onClick={() => run.mutate()}>
            {t.run}
          </Button>
        </div>
      ) : null}
      {job.error === null ? null : (
        <Section title={t.error}>
          <p className={classes["error"]}>{job.error}</p>
        </Section>
      )}
      <Section title={t.history}>
        <History job={job} />
      </Section>
    </>
  );
}

function JobFacts({ job }: { job: Job }) {
  const t = useWords(words);
  const format = useFormat();
  return (
    <Facts
      items={[
        [t.state, <JobState key="state" job={job} />],
        ["ID", <CopyId key="name" value={job.name} label={<code>{job.name}</code>} />],
        [t.lastRun, <Time key="last" at={job.started_at} />],
        [t.next, job.can_run ? <Time key="next" at={job.next_at} /> : t.notScheduled],
        [t.runs, format.number(job.runs)],
        [t.failures, format.number(job.failures)],
      ]}
    />
  );
}

function History({ job }: { job: Job }) {
  const t = useWords(words);
  const columns = useRunColumns(job);
  if (job.history.length === 0) return <p className={classes["hint"]}>{t.noRuns}</p>;
  return (
    <DataTable caption={t.history} columns={columns} rows={job.history} rowKey={({ uid }) => uid} empty={t.noRuns} />
  );
}

function useRunColumns(job: Job): Column<JobRunRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const newest = job.history[0]?.uid;
  return [
    { key: "at", header: t.ranAt, render: ({ started_at }) => <Time at={started_at} /> },
    {
      key: "state",
      header: t.state,
      render: (run) => (
        <>
          <RunState outcome={run.outcome} isRunning={job.is_running && run.uid === newest} />
          {run.error === null ? null : <Clamped>{run.error}</Clamped>}
        </>
      ),
    },
    { key: "took", header: t.took, align: "right", render: ({ duration_ms }) => <Duration ms={duration_ms} /> },
    {
      key: "count",
      header: t.count,
      align: "right",
      render: ({ items }) => (items === null ? "—" : format.number(items)),
    },
  ];
}
