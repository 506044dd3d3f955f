import { Button } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ExportsAnswer, ListedExportRow } from "../../../src/admin/csv/export-schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiGet, apiSend, apiUrl } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { DownloadIcon } from "../../ui/layout/icons.tsx";
import { Section } from "../../ui/layout/section.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { DateText } from "../../ui/values/date-text.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { DayInput } from "./day-input.tsx";
import { exportWords } from "./export-words.ts";
import { words } from "./words.ts";

const LOOK_MS = 1_000;

/** Exports of a period: a form to request one, and the existing ones. */
export function ExportsPart() {
  const w = useWords(exportWords);
  const { can } = useSession();
  const [state, setState] = useUrlState({ after: "" });
  const list = useQuery({
    queryKey: ["exports", state.after],
    queryFn: ({ signal }) => apiGet<ExportsAnswer>("/exports", { after: state.after }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.data.some((row) => row.state === "processing") === true ? LOOK_MS : false,
  });
  return (
    <>
      {can("exports.request") ? <RequestForm nextAt={list.data?.next_request_at ?? null} /> : null}
      <Section title={w.exportTitle}>
        <PagedTable
          caption={w.exportTitle}
          columns={useColumns()}
          list={list}
          rowKey={({ uid }) => uid}
          empty={<EmptyState title={w.noExports} hint={w.exportHint} />}
          after={state.after}
          onAfter={(after) => setState({ after })}
        />
      </Section>
    </>
  );
}

const MINUTE_MS = 60_000;

/** Returns the first whole minute that is not before `at`: times are shown without their seconds, and at the shown one it is possible. */
function wholeMinute(at: string): string {
  return new Date(Math.ceil(Date.parse(at) / MINUTE_MS) * MINUTE_MS).toISOString();
}

function RequestForm({ nextAt }: { nextAt: string | null }) {
  const w = useWords(exportWords);
  const format = useFormat();
  const client = useQueryClient();
  const [period, setPeriod] = useState({ start_date: "", end_date: "" });
  const request = useMutation({
    mutationFn: () => apiSend<ExportsAnswer>("POST", "/exports", period),
    onSuccess: (answer) => {
      client.setQueryData(["exports", ""], answer);
      notifyDone(w.requested);
    },
    onError: (error) => {
      void client.invalidateQueries({ queryKey: ["exports"] }); // somebody else's request says when the next one can be made
      const hasField = error instanceof ApiError && error.status === 422;
      if (!hasField) notifyFailed(error);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate();
  };
  const fault = (name: "start" | "end") =>
    faultOf(request.error, `/${name}_date`) ?? faultOf(request.error, `/${name}_datetime`);
  return (
    <Section title={w.newExport}>
      <form onSubmit={submit} className={classes["stack"]}>
        <p className={classes["hint"]}>
          {w.exportHint} {w.kept}
        </p>
        <div className={classes["fields"]}>
          <DayInput
            label={w.from}
            value={period.start_date}
            error={fault("start")}
            onChange={(start_date) => setPeriod({ ...period, start_date })}
          />
          <DayInput
            label={w.to}
            value={period.end_date}
            error={fault("end")}
            onChange={(end_date) => setPeriod({ ...period, end_date })}
          />
          <Button type="submit" loading={request.isPending} disabled={nextAt !== null}>
            {w.request}
          </Button>
        </div>
        {nextAt === null ? null : (
          <p className={classes["notice"]}>{w.nextExport(format.minute(wholeMinute(nextAt)))}</p>
        )}
      </form>
    </Section>
  );
}

const TONES = { processing: "neutral", ready: "good", failed: "bad" } as const;
const SECOND_MS = 1_000;

/** The last day of a period: its end is excluded. */
function lastDay(endAt: string): string {
  return new Date(new Date(endAt).getTime() - SECOND_MS).toISOString();
}

function useColumns(): Column<ListedExportRow>[] {
  const t = useWords(words);
  const w = useWords(exportWords);
  const format = useFormat();
  const { can } = useSession();
  return [
    {
      key: "period",
      onPhone: "first",
      header: w.period,
      render: ({ start_at, end_at }) => (
        <>
          <DateText at={start_at} /> – <DateText at={lastDay(end_at)} />
        </>
      ),
    },
    {
      key: "state",
      onPhone: "second",
      header: t.state,
      render: ({ state }) => <StateBadge tone={TONES[state]}>{w.exportStates[state]}</StateBadge>,
    },
    {
      key: "rows",
      onPhone: "named",
      header: t.customers,
      align: "right",
      render: ({ row_count }) => (row_count === null ? "—" : format.number(row_count)),
    },
    {
      key: "size",
      header: t.size,
      align: "right",
      render: ({ byte_count }) => `${format.number(Math.ceil(byte_count / 1_000))} kB`,
    },
    { key: "by", header: w.requestedBy, render: ({ requested_by }) => requested_by },
    { key: "when", onPhone: "second", header: t.when, render: ({ requested_at }) => <Time at={requested_at} /> },
    {
      key: "file",
      onPhone: "second",
      header: t.file,
      render: ({ uid, state }) => (state === "ready" && can("exports.request") ? <FileLink uid={uid} /> : "—"),
    },
  ];
}

function FileLink({ uid }: { uid: string }) {
  const w = useWords(exportWords);
  return (
    <Button
      component="a"
      size="compact-sm"
      variant="default"
      href={apiUrl(`/exports/${uid}/file`)}
      download
      leftSection={<DownloadIcon />}
    >
      {w.download}
    </Button>
  );
}
