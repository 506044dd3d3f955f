import { Button } from "@mantine/core";
import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Time } from "../../ui/time.tsx";
import { useParam } from "../../ui/use-param.ts";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { actionText } from "./action-words.ts";
import { ActorName } from "./actor-name.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { ChangeSummary } from "./change-summary.tsx";
import { EntryPanel } from "./entry-panel.tsx";
import classes from "./page.module.css";
import { SubjectName } from "./subject-name.tsx";
import { filterSearch, NO_FILTER, useAudit, useAuditFilter } from "./use-audit.ts";
import { words } from "./words.ts";

/** Who changed what, newest first; an entry's panel has an address of its own, which keeps the filters. */
export function AuditPage() {
  const t = useWords(words);
  const [filter, setFilter] = useAuditFilter();
  const audit = useAudit(filter);
  const id = useParam("id");
  const search = filterSearch(filter);
  const clear = (
    <Button variant="default" onClick={() => setFilter(NO_FILTER)}>
      {t.clear}
    </Button>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <AuditFilters filter={filter} onChange={setFilter} />
      <DataTable
        caption={t.title}
        columns={useColumns()}
        rows={audit.data?.data}
        rowKey={(entry) => entry.id}
        rowLink={(entry) => `/audit/${entry.id}${search}`}
        linksToPanel
        isLoading={audit.isPlaceholderData}
        error={audit.error}
        onRetry={audit.refetch}
        empty={<EmptyState title={t.none} hint={t.noneHint} action={clear} />}
      />
      <Pager
        next={audit.data?.next}
        onNext={(after) => setFilter({ after })}
        isFirst={filter.after === ""}
        onFirst={() => setFilter({ after: "" })}
      />
      {id === null ? null : <EntryPanel id={id} closeTo={`/audit${search}`} />}
    </Page>
  );
}

function useColumns(): Column<AuditEntry>[] {
  const t = useWords(words);
  const { language } = useLanguage();
  return [
    { key: "at", header: t.when, width: "128px", render: ({ at }) => <Time at={at} /> },
    {
      key: "actor",
      header: t.who,
      render: (entry) => (
        <span className={classes["line"]}>
          <ActorName entry={entry} />
        </span>
      ),
    },
    {
      key: "action",
      header: t.what,
      render: ({ action }) => <span className={classes["line"]}>{actionText(action, language)}</span>,
    },
    { key: "subject", header: t.subject, render: ({ subject }) => <SubjectName subject={subject} /> },
    { key: "change", header: t.change, render: (entry) => <ChangeSummary entry={entry} /> },
  ];
}
