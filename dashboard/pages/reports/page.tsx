import { Button } from "@mantine/core";
import type { ShownReport } from "../../../src/admin/reports/schema.ts";
import { apiUrl } from "../../api/client.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { StateBadge, type Tone } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { SettingsForm } from "./settings-form.tsx";
import { REPORTS_QUERY, useReports } from "./use-reports.ts";
import { words } from "./words.ts";

const TONES: Readonly<Record<ShownReport["state"], Tone>> = { making: "neutral", ready: "good", failed: "bad" };

/** Scheduled reports: their settings, and the files. */
export function ReportsPage() {
  const t = useWords(words);
  const reports = useReports();
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      {reports.data === undefined ? null : (
        <Section title={t.settings}>
          <SettingsForm shown={reports.data} />
        </Section>
      )}
      <Section title={t.log}>
        <DataTable
          caption={t.log}
          columns={useColumns()}
          rows={reports.data?.reports}
          rowKey={({ uid }) => uid}
          isLoading={reports.isLoading}
          error={reports.error}
          onRetry={reports.refetch}
          empty={<EmptyState title={t.none} hint={t.noneHint} />}
        />
      </Section>
    </Page>
  );
}

ReportsPage.prefetchedQueries = () => [REPORTS_QUERY];

function useColumns(): Column<ShownReport>[] {
  const t = useWords(words);
  const format = useFormat();
  const whereOf = ({ was_attached, mails, folder }: ShownReport) => {
    const count = format.number(mails);
    const byMail = was_attached === null ? null : was_attached ? t.attached(count) : t.linked(count);
    return [byMail, folder === null ? null : t.inFolder].filter((place) => place !== null).join(", ") || t.here;
  };
  return [
    { key: "report", onPhone: "first", header: t.report, render: ({ kind }) => t.short[kind] },
    {
      key: "period",
      onPhone: "second",
      header: t.period,
      render: ({ first_on, last_on }) => format.days(first_on, last_on),
    },
    {
      key: "state",
      onPhone: "first",
      header: t.state,
      render: ({ state, error }) => (
        <>
          <StateBadge tone={TONES[state]}>{t.states[state]}</StateBadge> {state === "ready" ? null : error}
        </>
      ),
    },
    { key: "where", header: t.where, render: (report) => (report.state === "ready" ? whereOf(report) : "—") },
    {
      key: "size",
      header: t.size,
      align: "right",
      isShort: true,
      render: ({ byte_count: bytes }) => (bytes === null ? "—" : `${format.number(Math.ceil(bytes / 1_024))} kB`),
    },
    {
      key: "file",
      header: "",
      onPhone: "second",
      render: ({ uid, state }) =>
        state === "ready" ? (
          <Button variant="default" size="xs" component="a" href={apiUrl(`/reports/${uid}/file.csv`)} download>
            {t.download}
          </Button>
        ) : null,
    },
  ];
}
