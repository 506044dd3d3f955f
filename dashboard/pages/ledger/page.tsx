import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LedgerPage as LedgerList } from "../../../src/admin/ledger/schema.ts";
import { apiQuery } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { Pager } from "../../ui/lists/pager.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { useParam } from "../../ui/urls/use-param.ts";
import { useWords } from "../../words/use-words.ts";
import { useLedgerColumns } from "./columns.tsx";
import { LedgerFilters } from "./ledger-filters.tsx";
import { LookedBack } from "./looked-back.tsx";
import { Totals, totalsQuery } from "./totals.tsx";
import { type Filters, filtersOf, isFiltered, NO_FILTERS, useFilters } from "./use-filters.ts";
import { WhyPanel } from "./why-panel.tsx";
import { words } from "./words.ts";

const listQuery = (filters: Filters) => ({
  queryKey: ["ledger", "list", filters],
  queryFn: apiQuery<LedgerList>("/ledger", filters),
});

/** All allotments of the store, and the explanation of one. */
export function LedgerPage() {
  const t = useWords(words);
  const uid = useParam("uid");
  const [filters, setFilters] = useFilters();
  const list = useQuery({ ...listQuery(filters), placeholderData: keepPreviousData });
  const search = writeSearch(filters);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      action={<ListActions list="ledger" path="/ledger" file="/ledger.csv" filters={filters} defaults={NO_FILTERS} />}
    >
      <LedgerFilters filters={filters} onChange={setFilters} error={list.error} />
      <Totals filters={filters} />
      <LedgerRows
        {...{ list, filters, search }}
        onAfter={(after) => setFilters({ after })}
        onClear={() => setFilters(NO_FILTERS)}
      />
      {uid === null ? null : (
        <WhyPanel uid={uid} closeTo={`/ledger${search}`} pathOf={(other) => `/ledger/${other}${search}`} />
      )}
    </Page>
  );
}

LedgerPage.prefetchedQueries = ({ search }: Address) => {
  const filters = filtersOf(search);
  return [listQuery(filters), totalsQuery(filters)];
};

interface LedgerRowsProps {
  list: { data: LedgerList | undefined; error: unknown; isPlaceholderData: boolean; refetch: () => unknown };
  filters: Filters;
  search: string;
  onAfter(after: string): void;
  onClear(): void;
}

function LedgerRows({ list, filters, search, onAfter, onClear }: LedgerRowsProps) {
  const t = useWords(words);
  const columns = useLedgerColumns();
  const {
    data,
    next,
    looked_back_to: lookedBackTo,
  } = list.data ?? { data: undefined, next: null, looked_back_to: null };
  const isSearching = data?.length === 0 && lookedBackTo !== null;
  return (
    <>
      {isSearching ? null : (
        <DataTable
          columns={columns}
          rows={data}
          rowKey={(row) => row.uid}
          rowLink={(row) => `/ledger/${row.uid}${search}`}
          linksToPanel
          isLoading={list.isPlaceholderData}
          error={list.error}
          onRetry={() => void list.refetch()}
          empty={
            isFiltered(filters) ? (
              <NoneFound title={t.noMatch} onClear={onClear} />
            ) : (
              <EmptyState title={t.none} hint={t.noneHint} action={<ImportButton />} />
            )
          }
          caption={t.caption}
          skeletonRows={16}
        />
      )}
      {lookedBackTo === null || next === null ? null : <LookedBack to={lookedBackTo} onGoOn={() => onAfter(next)} />}
      <Pager next={lookedBackTo === null ? next : null} after={filters.after} onAfter={onAfter} />
    </>
  );
}

/** Points that customers had before are brought in by a file. */
function ImportButton() {
  const t = useWords(words);
  const go = useNavigateTo();
  if (!useSession().can("imports.run")) return null;
  return <Button onClick={() => go("/csv/imports/new")}>{t.importPoints}</Button>;
}
