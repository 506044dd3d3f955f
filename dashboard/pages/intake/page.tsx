import type { ReceiptRow } from "../../../src/admin/intake/schema.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { BACKLOG_QUERY, IntakeBacklog } from "../../ui/intake-backlog.tsx";
import { Page } from "../../ui/layout/page.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useParam } from "../../ui/urls/use-param.ts";
import { urlState } from "../../ui/urls/use-url-state.ts";
import { Time } from "../../ui/values/time.tsx";
import { useReceiptWords } from "../../words/receipt-words.ts";
import { useWords } from "../../words/use-words.ts";
import { ConnectPart } from "./connect-part.tsx";
import classes from "./intake.module.css";
import { ReceiptFilters } from "./receipt-filters.tsx";
import { ReceiptPanel } from "./receipt-panel.tsx";
import { ReceiptState } from "./receipt-state.tsx";
import { ReprocessAll } from "./reprocess-all.tsx";
import {
  NO_FILTER,
  receiptsCountQuery,
  receiptsQuery,
  SUMMARY_QUERY,
  useReceiptFilter,
  useReceipts,
} from "./use-intake.ts";
import { words } from "./words.ts";

/** Received events and their state; a receipt's panel shows its body. */
export function IntakePage() {
  const t = useWords(words);
  const [filter, setFilter] = useReceiptFilter();
  const list = useReceipts(filter);
  const uid = useParam("uid");
  const search = writeSearch(filter);
  const isFiltered = writeSearch({ ...filter, after: "" }) !== "";
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      action={
        <ListActions list="receipts" path="/intake" file="/intake/receipts.csv" filters={filter} defaults={NO_FILTER}>
          <ReprocessAll />
        </ListActions>
      }
    >
      <IntakeBacklog />
      <ReceiptFilters filter={filter} onChange={setFilter} />
      <PagedTable
        caption={t.receipts}
        columns={useColumns()}
        list={list}
        rowKey={(receipt) => receipt.uid}
        rowLink={(receipt) => `/intake/${receipt.uid}${search}`}
        linksToPanel
        empty={isFiltered ? <NoneFound title={t.noneFiltered} onClear={() => setFilter(NO_FILTER)} /> : <ConnectPart />}
        after={filter.after}
        onAfter={(after) => setFilter({ after })}
        count={receiptsCountQuery(filter)}
      />
      {uid === null ? null : <ReceiptPanel uid={uid} closeTo={`/intake${search}`} />}
    </Page>
  );
}

IntakePage.prefetchedQueries = ({ search }: Address) => [
  receiptsQuery(urlState(NO_FILTER, search)),
  SUMMARY_QUERY,
  BACKLOG_QUERY,
];

function useColumns(): Column<ReceiptRow>[] {
  const t = useWords(words);
  const say = useReceiptWords();
  return [
    {
      key: "received",
      onPhone: "second",
      header: t.received,
      width: "140px",
      render: ({ received_at }) => <Time at={received_at} />,
    },
    { key: "topic", onPhone: "first", header: t.topic, render: ({ topic }) => say.topic(topic) },
    {
      key: "subject",
      onPhone: "second",
      header: t.subject,
      render: ({ subject }) => (subject === "" ? "—" : say.subject(subject)),
    },
    {
      key: "state",
      onPhone: "second",
      header: t.state,
      render: ({ state, has_warnings }) => <ReceiptState state={state} isWarned={has_warnings} />,
    },
    {
      key: "note",
      header: t.note,
      render: ({ note }) => (note === null ? "—" : <span className={classes["note"]}>{say.note(note)}</span>),
    },
  ];
}
