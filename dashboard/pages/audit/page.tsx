import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { Page } from "../../ui/layout/page.tsx";
import { countQuery } from "../../ui/lists/count-query.ts";
import type { Column } from "../../ui/lists/data-table.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useParam } from "../../ui/urls/use-param.ts";
import { urlState } from "../../ui/urls/use-url-state.ts";
import { Time } from "../../ui/values/time.tsx";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { actionText } from "./action-words.ts";
import { ActorName } from "./actor-name.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { ChangeSummary } from "./change-summary.tsx";
import { EntryPanel } from "./entry-panel.tsx";
import classes from "./page.module.css";
import { SubjectName } from "./subject-name.tsx";
import { AUDIT_CHOICES_QUERY, auditQuery, NO_FILTER, useAudit, useAuditFilter } from "./use-audit.ts";
import { words } from "./words.ts";

/** Changes, newest first; an entry's panel has its own address, which keeps the filters. */
export function AuditPage() {
  const t = useWords(words);
  const [filter, setFilter] = useAuditFilter();
  const audit = useAudit(filter);
  const id = useParam("id");
  const search = writeSearch(filter);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      action={<ListActions list="audit" path="/audit" file="/audit.csv" filters={filter} defaults={NO_FILTER} />}
    >
      <AuditFilters filter={filter} onChange={setFilter} />
      <PagedTable
        caption={t.title}
        columns={useColumns()}
        list={audit}
        rowKey={(entry) => entry.id}
        rowLink={(entry) => `/audit/${entry.id}${search}`}
        linksToPanel
        empty={<NoneFound title={t.none} hint={t.noneHint} onClear={() => setFilter(NO_FILTER)} />}
        after={filter.after}
        onAfter={(after) => setFilter({ after })}
        count={countQuery("audit", "/audit/count", { filter })}
      />
      {id === null ? null : <EntryPanel id={id} closeTo={`/audit${search}`} />}
    </Page>
  );
}

AuditPage.prefetchedQueries = ({ search }: Address) => [auditQuery(urlState(NO_FILTER, search)), AUDIT_CHOICES_QUERY];

function useColumns(): Column<AuditEntry>[] {
  const t = useWords(words);
  const { language } = useLanguage();
  return [
    { key: "at", onPhone: "second", header: t.when, width: "128px", render: ({ at }) => <Time at={at} /> },
    {
      key: "actor",
      onPhone: "second",
      header: t.who,
      render: (entry) => (
        <span className={classes["line"]}>
          <ActorName entry={entry} />
        </span>
      ),
    },
    {
      key: "action",
      onPhone: "first",
      header: t.what,
      render: ({ action }) => <span className={classes["line"]}>{actionText(action, language)}</span>,
    },
    {
      key: "subject",
      onPhone: "second",
      header: t.subject,
      render: ({ subject }) => <SubjectName subject={subject} />,
    },
    { key: "change", header: t.change, render: (entry) => <ChangeSummary entry={entry} /> },
  ];
}
