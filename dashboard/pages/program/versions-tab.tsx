import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ComparedVersion, Versions } from "../../../src/admin/program/schema.ts";
import { apiGet } from "../../api/client.ts";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { Pager } from "../../ui/lists/pager.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { Facts } from "../../ui/values/facts.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { ChangeList, changeLabel } from "./change-list.tsx";
import { changesOf } from "./draft/draft.ts";
import { useDraft } from "./draft/draft-context.ts";
import { useReplaceDraft } from "./draft/use-replace-draft.tsx";
import classes from "./program.module.css";
import { words } from "./words.ts";

const NAMED_MAX = 3;

/** Every version: author, time, changes; each can be viewed and restored. */
export function VersionsTab() {
  const t = useWords(words);
  const [{ after, open }, setState] = useUrlState({ after: "", open: "" });
  const { newest } = useDraft();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["program", "versions", newest.version, after],
    queryFn: ({ signal }) => apiGet<Versions>("/program/versions", { after }, signal),
  });
  const here = after === "" ? "/program/versions" : `/program/versions?after=${after}`;
  return (
    <Section title={t.versionsOf}>
      <DataTable
        caption={t.versionsOf}
        rows={data?.data}
        rowKey={({ version }) => String(version)}
        rowLink={({ version }) => `/program/versions?${after === "" ? "" : `after=${after}&`}open=${version}`}
        linksToPanel
        isLoading={isFetching}
        error={error}
        onRetry={() => void refetch()}
        empty={t.firstVersion}
        columns={[
          { key: "version", onPhone: "first", header: t.versionLabel, render: (row) => <VersionName row={row} /> },
          { key: "at", onPhone: "second", header: t.appliedAt, render: ({ created_at }) => <Time at={created_at} /> },
          { key: "from", onPhone: "named", header: t.holdsFrom, render: (row) => <HoldsFrom row={row} /> },
          { key: "author", onPhone: "second", header: t.author, render: (row) => authorOf(row, t) },
          { key: "changes", onPhone: "second", header: t.changes, render: (row) => <ChangeNames row={row} /> },
        ]}
      />
      <Pager next={data?.next} after={after} onAfter={(to) => setState({ after: to })} />
      {open === "" ? null : <VersionPanel version={open} closeTo={here} />}
    </Section>
  );
}

function authorOf({ author, approved_by: approvedBy }: ComparedVersion, t: (typeof words)["en"]): string {
  return approvedBy === null ? author : t.approvedBy(author, approvedBy);
}

function VersionName({ row }: { row: ComparedVersion }) {
  const t = useWords(words);
  const { newest } = useDraft();
  if (row.version !== newest.version) return row.version;
  return (
    <span className={classes["pair"]}>
      {row.version} <StateBadge tone="good">{t.current}</StateBadge>
    </span>
  );
}

/** From when it applies to orders; the first applied version, for all time. */
function HoldsFrom({ row }: { row: ComparedVersion }) {
  const t = useWords(words);
  if (row.version === 1) return "—";
  return row.valid_from === null ? t.allTime : <Time at={row.valid_from} />;
}

function ChangeNames({ row }: { row: ComparedVersion }) {
  const t = useWords(words);
  const m = useWords(fieldWords);
  if (row.before === null) return t.firstVersion;
  const names = changesOf(row.before, row.document).map((change) => changeLabel(change, t, m));
  const more = names.length > NAMED_MAX ? ` … (${t.nChanges(names.length)})` : "";
  return `${names.slice(0, NAMED_MAX).join(", ")}${more}`;
}

function VersionPanel({ version, closeTo }: { version: string; closeTo: string }) {
  const t = useWords(words);
  const { data, error, refetch } = useQuery({
    queryKey: ["program", "version", version],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: ComparedVersion }>(`/program/versions/${encodeURIComponent(version)}`, {}, signal)).data,
  });
  return (
    <SidePanel title={t.version(Number(version))} closeTo={closeTo}>
      {data !== undefined ? <VersionDetail row={data} /> : null}
      {error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />}
    </SidePanel>
  );
}

function VersionDetail({ row }: { row: ComparedVersion }) {
  const t = useWords(words);
  const { newest, isEditable } = useDraft();
  const { replace, dialog } = useReplaceDraft();
  const isSameAsNow = changesOf(row.document, newest.document).length === 0;
  return (
    <>
      <Facts
        items={[
          [t.author, authorOf(row, t)],
          [t.appliedAt, <Time key="at" at={row.created_at} />],
          [t.holdsFrom, <HoldsFrom key="from" row={row} />],
        ]}
      />
      <ChangeList
        caption={t.changes}
        changes={row.before === null ? [] : changesOf(row.before, row.document)}
        tiersOf={row.before === null ? [row.document] : [row.document, row.before]}
      />
      {isSameAsNow ? <p className={classes["hint"]}>{t.sameAsNow}</p> : null}
      {isEditable && !isSameAsNow ? (
        <div>
          <Button onClick={() => replace(row.document)}>{t.rollBack}</Button>
          <p className={classes["hint"]}>{t.rollBackHint}</p>
        </div>
      ) : null}
      {dialog}
    </>
  );
}
