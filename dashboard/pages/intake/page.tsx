import { Button } from "@mantine/core";
import type { ReceiptRow } from "../../../src/admin/intake/schema.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Time } from "../../ui/time.tsx";
import { useParam } from "../../ui/use-param.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./intake.module.css";
import { ReceiptFilters } from "./receipt-filters.tsx";
import { ReceiptPanel } from "./receipt-panel.tsx";
import { ReceiptState } from "./receipt-state.tsx";
import { useReceiptWords } from "./receipt-words.ts";
import { ReprocessAll } from "./reprocess-all.tsx";
import { filterSearch, NO_FILTER, useReceiptFilter, useReceipts } from "./use-intake.ts";
import { words } from "./words.ts";

/** What came in and how far it is; a receipt's panel has what it said. */
export function IntakePage() {
  const t = useWords(words);
  const [filter, setFilter] = useReceiptFilter();
  const { data, error, refetch, isPlaceholderData } = useReceipts(filter);
  const uid = useParam("uid");
  const search = filterSearch(filter);
  const isFiltered = filterSearch({ ...filter, after: "" }) !== "";
  const clear = (
    <Button variant="default" onClick={() => setFilter(NO_FILTER)}>
      {t.clear}
    </Button>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} action={<ReprocessAll />}>
      <ReceiptFilters filter={filter} onChange={setFilter} />
      <DataTable
        caption={t.receipts}
        columns={useColumns()}
        rows={data?.data}
        rowKey={(receipt) => receipt.uid}
        rowLink={(receipt) => `/intake/${receipt.uid}${search}`}
        linksToPanel
        isLoading={isPlaceholderData}
        error={error}
        onRetry={refetch}
        empty={
          isFiltered ? (
            <EmptyState title={t.noneFiltered} action={clear} />
          ) : (
            <EmptyState title={t.none} hint={t.noneHint} />
          )
        }
      />
      <Pager
        next={data?.next}
        onNext={(after) => setFilter({ after })}
        isFirst={filter.after === ""}
        onFirst={() => setFilter({ after: "" })}
      />
      {uid === null ? null : <ReceiptPanel uid={uid} closeTo={`/intake${search}`} />}
    </Page>
  );
}

function useColumns(): Column<ReceiptRow>[] {
  const t = useWords(words);
  const say = useReceiptWords();
  return [
    { key: "received", header: t.received, width: "140px", render: ({ received_at }) => <Time at={received_at} /> },
    { key: "topic", header: t.topic, render: ({ topic }) => topic },
    { key: "subject", header: t.subject, render: ({ subject }) => (subject === "" ? "—" : say.subject(subject)) },
    { key: "state", header: t.state, render: ({ state }) => <ReceiptState state={state} /> },
    {
      key: "note",
      header: t.note,
      render: ({ note }) => (note === null ? "—" : <span className={classes["note"]}>{say.note(note)}</span>),
    },
  ];
}
