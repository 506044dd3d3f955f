import type { ImportDetail, ImportSurvey } from "../../../src/admin/csv/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Money } from "../../ui/values/money.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { ImportState } from "./import-state.tsx";
import { moveWords } from "./move-words.ts";
import { words } from "./words.ts";

/** The sums of another app's file, for comparison with that app's own figures, and the imports that it consists of. */
export function MoveSummary({ file }: { file: ImportDetail }) {
  const t = useWords(moveWords);
  const { survey, check } = file;
  if (survey === null || check === null) return null;
  return (
    <>
      <Section title={t.sums}>
        {file.state === "checked" ? <p className={classes["hint"]}>{t.sumsHint}</p> : null}
        <Earlier file={file} survey={survey} />
        <Sums survey={survey} rows={file.customer_count ?? 0} />
      </Section>
      {survey.by_expiry.length === 0 ? null : <Expiries survey={survey} />}
      {survey.by_tier.length === 0 ? null : <Tiers survey={survey} />}
      {file.parts.length === 0 ? null : <Parts file={file} />}
    </>
  );
}

/** Who received points from an earlier file, and the consequences for this one. */
function Earlier({ file, survey }: { file: ImportDetail; survey: ImportSurvey }) {
  const t = useWords(moveWords);
  const { number, date } = useFormat();
  const { options } = file;
  const sameApp = options.again === true ? t.earlierAgain : t.earlierLeftOut;
  return survey.earlier.map(({ move, source, is_same_app, started_at, customers, points }) => (
    <p key={move} className={classes["notice"]} role="status">
      {t.earlier(number(customers), source, date(started_at), number(points))}{" "}
      {options.sets_balance === true ? t.earlierSet : is_same_app ? sameApp : t.earlierOther}
    </p>
  ));
}

function Sums({ survey, rows }: { survey: ImportSurvey; rows: number }) {
  const t = useWords(moveWords);
  const { number } = useFormat();
  return (
    <Facts
      items={[
        [t.rows, number(rows)],
        [t.withPoints, number(survey.with_points)],
        [t.points, <Points key="points" value={survey.points} />],
        [t.worth, <Money key="worth" minor={survey.worth} />],
        [t.foundByEmail, number(survey.found_by_email)],
        [t.foundById, number(survey.found_by_id)],
        [t.created, number(survey.created)],
        ...(survey.spent === 0 ? [] : [[t.spent, <Money key="spent" minor={survey.spent} />] as const]),
      ]}
    />
  );
}

type Expiry = ImportSurvey["by_expiry"][number];
type Tier = ImportSurvey["by_tier"][number];

function Expiries({ survey }: { survey: ImportSurvey }) {
  const t = useWords(moveWords);
  const f = useFormat();
  const columns: Column<Expiry>[] = [
    { key: "month", header: t.month, render: ({ month }) => (month === "" ? t.byProgram : f.month(month)) },
    { key: "points", header: t.points, align: "right", render: ({ points }) => <Points value={points} /> },
  ];
  return (
    <Section title={t.byExpiry}>
      <DataTable
        caption={t.byExpiry}
        columns={columns}
        rows={survey.by_expiry}
        rowKey={({ month }) => month}
        empty={null}
      />
    </Section>
  );
}

function Tiers({ survey }: { survey: ImportSurvey }) {
  const t = useWords(moveWords);
  const { number } = useFormat();
  const nameOf = ({ name, is_known }: Tier) => (is_known ? name : `${name} (${t.unknownTier})`);
  const columns: Column<Tier>[] = [
    { key: "tier", header: t.tier, render: nameOf },
    { key: "rows", header: t.tierRows, align: "right", render: ({ rows }) => number(rows) },
  ];
  return (
    <Section title={t.byTier}>
      <DataTable caption={t.byTier} columns={columns} rows={survey.by_tier} rowKey={({ name }) => name} empty={null} />
    </Section>
  );
}

function Parts({ file }: { file: ImportDetail }) {
  const t = useWords(moveWords);
  const w = useWords(words);
  const { number } = useFormat();
  const columns: Column<ImportDetail["parts"][number]>[] = [
    {
      key: "kind",
      header: w.kind,
      render: ({ uid, kind }) => <PageLink to={`/csv/imports/${uid}`}>{w.kinds[kind]}</PageLink>,
    },
    { key: "state", header: w.state, render: ({ state }) => <ImportState state={state} /> },
    { key: "rows", header: w.rows, align: "right", render: ({ row_count }) => number(row_count) },
  ];
  const failed = file.state === "importing" ? file.parts.find(({ has_failed }) => has_failed) : undefined;
  return (
    <Section title={t.parts}>
      {failed === undefined ? null : (
        <p className={classes["notice"]} role="status">
          {t.stopped(w.kinds[failed.kind])}
        </p>
      )}
      <DataTable caption={t.parts} columns={columns} rows={file.parts} rowKey={({ uid }) => uid} empty={null} />
      {file.state === "imported" ? <p className={classes["hint"]}>{t.next}</p> : null}
    </Section>
  );
}
