import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { MOVEMENT_KINDS } from "../../../src/wire/liability.ts";
import { apiUrl } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { PageNotFound } from "../../ui/states/page-not-found.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { CloseButton } from "./close-button.tsx";
import { EstimatesPart } from "./estimates-part.tsx";
import { MovementsPanel } from "./movements-panel.tsx";
import { PointsTable } from "./points-table.tsx";
import { RevenuePart } from "./revenue-part.tsx";
import { liabilityQuery, type Report, useLiability } from "./use-liability.ts";
import { nameWords, words } from "./words.ts";

const NOTHING_ASKED = { month: "", cohort: "", origin: "", cause: "" };

/** The points owed, month by month, and the deferred revenue for them. */
export function LiabilityPage() {
  const t = useWords(words);
  const [state, setState] = useUrlState(NOTHING_ASKED);
  const kind = useParam("kind");
  const { data: report, error, refetch } = useLiability(state.month);
  if (kind !== null && !MOVEMENT_KINDS.some((known) => known === kind)) return <PageNotFound />;
  return (
    <Page title={t.title} subtitle={t.subtitle} action={report === undefined ? undefined : <Actions report={report} />}>
      {report === undefined ? (
        error === null ? null : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <>
          <MonthChoice report={report} onChange={(month) => setState({ month })} />
          <Figures report={report} key={`${report.month} ${report.closed_month}`} />
          {kind === null ? null : <MovementsPanel query={{ ...state, month: report.month, kind }} />}
        </>
      )}
    </Page>
  );
}

LiabilityPage.prefetchedQueries = ({ search }: Address) => [liabilityQuery(urlState(NOTHING_ASKED, search).month)];

function Actions({ report }: { report: Report }) {
  const t = useWords(words);
  const { can } = useSession();
  const { month, last_month, closed_month } = report;
  const isOpen = closed_month === null || month > closed_month;
  return (
    <Group gap={8}>
      {can("lists.export") && report.revenue !== null ? (
        <Button variant="default" component="a" href={apiUrl("/liability.csv", { month })} download>
          {t.journal}
        </Button>
      ) : null}
      {can("liability.manage") && isOpen && month < last_month ? <CloseButton month={month} /> : null}
    </Group>
  );
}

function MonthChoice({ report, onChange }: { report: Report; onChange(month: string): void }) {
  const t = useWords(words);
  const format = useFormat();
  const { month, first_month, last_month, closed_month, counted_to, closed_by, closed_at } = report;
  const nameOfMonth = (text: string) =>
    `${format.month(text)} · ${closed_month !== null && text <= closed_month ? t.state.closed : t.state.open}`;
  return (
    <Group gap={16} align="end">
      <NativeSelect
        label={t.month}
        value={month}
        data={monthsBetween(first_month, last_month).map((value) => ({ value, label: nameOfMonth(value) }))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {closed_by === null ? null : (
        <Text span lh="36px">
          {t.closedBy(closed_by)} <Time at={closed_at} />
        </Text>
      )}
      <Text span c="dimmed" lh="36px">
        {t.countedTo}
        <Time at={counted_to} />
      </Text>
    </Group>
  );
}

function Figures({ report }: { report: Report }) {
  const t = useWords(words);
  const { origins } = useWords(nameWords);
  const format = useFormat();
  const { month, total } = report;
  return (
    <>
      <Section title={t.byOrigin}>
        <p>{t.pointsHint}</p>
        <PointsTable
          caption={t.byOrigin}
          header={t.origin}
          {...{ month, total }}
          rows={report.origins.map((points) => ({
            key: points.origin,
            name: nameOf(origins, points.origin),
            narrowed: { origin: points.origin },
            points,
          }))}
        />
      </Section>
      <Section title={t.byCohort}>
        <PointsTable
          caption={t.byCohort}
          header={t.cohort}
          {...{ month, total }}
          rows={report.cohorts.map((points) => ({
            key: points.month,
            name: format.month(points.month),
            narrowed: { cohort: points.month },
            points,
          }))}
        />
      </Section>
      {report.late.length === 0 ? null : <LatePart report={report} />}
      <RevenuePart report={report} />
      <EstimatesPart report={report} />
    </>
  );
}

function LatePart({ report: { month, late } }: { report: Report }) {
  const t = useWords(words);
  const { kinds } = useWords(nameWords);
  const format = useFormat();
  return (
    <Section title={t.late}>
      <p>{t.lateHint}</p>
      <DataTable
        caption={t.late}
        rows={late}
        rowKey={(row) => `${row.month} ${row.kind}`}
        empty={t.noPoints}
        columns={[
          { key: "for", header: t.cause, render: (row) => format.month(row.month), isShort: true },
          { key: "kind", header: t.kind, render: ({ kind }) => nameOf(kinds, kind) },
          {
            key: "points",
            header: t.points,
            align: "right",
            render: (row) => (
              <PageLink to={`/liability/${row.kind}?month=${month}&cause=${row.month}`}>
                {format.points(row.points)}
              </PageLink>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** Returns all months from one to another, newest first. */
function monthsBetween(first: string, last: string): string[] {
  const numberOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
  const count = numberOf(last) - numberOf(first) + 1;
  return Array.from({ length: count }, (_, n) => {
    const month = numberOf(last) - n;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
  });
}
