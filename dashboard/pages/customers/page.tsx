import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { CustomerList, ListedCustomerRow } from "../../../src/admin/customers/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiQuery } from "../../api/client.ts";
import { loadCode } from "../../api/code.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { Pager } from "../../ui/lists/pager.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { SelectedCustomers } from "../../ui/lists/selected-customers.tsx";
import { useSelection } from "../../ui/lists/use-selection.ts";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";
import { useCustomerColumns } from "./columns.tsx";
import classes from "./customers.module.css";
import { words } from "./words.ts";

const NOTHING_ASKED = { q: "", tier: "", sort: "newest", after: "" };

const listQuery = (asked: Asked) => ({
  queryKey: ["customers", "list", asked],
  queryFn: apiQuery<CustomerList>("/customers", asked),
});

/** Customers found by a search, or all of them page by page. */
export function CustomersPage() {
  const t = useWords(words);
  const [asked, ask] = useUrlState(NOTHING_ASKED);
  const [selection, select] = useSelection();
  const list = useQuery({
    ...listQuery(asked),
    placeholderData: keepPreviousData,
    ...(isPlain(asked) ? {} : { retry: false }), // the service cancelled the query: a retry would only add load
  });
  const isTooLong = !isPlain(asked) && list.error instanceof ApiError && list.error.status === 503;
  const rows = isTooLong ? [] : list.data?.data;
  const closeTo = `/customers${writeSearch({ ...asked, sort: asked.sort === NOTHING_ASKED.sort ? "" : asked.sort })}`;
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      action={
        <ListActions list="customers" path="/customers" file="/customers.csv" filters={asked} defaults={NOTHING_ASKED}>
          <NewButton />
          {selection === null ? <SelectButton onClick={select} /> : null}
        </ListActions>
      }
    >
      <FilterBar onClear={asked.tier === "" ? null : () => ask({ tier: "" })}>
        <SearchField value={asked.q} onChange={(q) => ask({ q })} label={t.search} />
        <Choices asked={asked} ask={ask} tiers={list.data?.tiers ?? null} />
      </FilterBar>
      <FoundCount found={list.data?.found ?? null} total={list.data?.total ?? null} shown={rows?.length ?? 0} />
      <SelectedCustomers
        selection={selection}
        shown={list.isPlaceholderData ? null : (rows ?? []).map(selectableId).filter((id) => id !== null)}
        tiers={list.data?.tiers ?? []}
        closeTo={closeTo}
      />
      <DataTable
        caption={t.caption}
        columns={useCustomerColumns()}
        rows={rows}
        rowKey={(row) => row.uid}
        rowLink={(row) => `/customers/${encodeURIComponent(row.id)}`}
        isLoading={list.isPlaceholderData}
        error={isTooLong ? null : list.error}
        onRetry={() => void list.refetch()}
        empty={isTooLong ? <TooLong ask={ask} /> : <Nobody {...{ asked, ask }} />}
        skeletonRows={16}
        selection={selection === null ? undefined : { ...selection, idOf: selectableId }}
      />
      <Pager next={list.data?.next} after={asked.after} onAfter={(after) => ask({ after })} />
      <NewCustomer closeTo={closeTo} />
    </Page>
  );
}

CustomersPage.prefetchedQueries = ({ search }: Address) => [listQuery(urlState(NOTHING_ASKED, search))];

/** Not part of the list's first load. */
const NewCustomerPanel = lazy(
  loadCode(() => import("./new-customer-panel.tsx").then((m) => ({ default: m.NewCustomerPanel }))),
);
const CLOSED = { panel: "" };

function NewButton() {
  const t = useWords(words);
  const [, setPanel] = useUrlState(CLOSED);
  if (!useSession().can("customers.change")) return null;
  return (
    <Button variant="default" onClick={() => setPanel({ panel: "new" })}>
      {t.newCustomer}
    </Button>
  );
}

function SelectButton({ onClick }: { onClick(): void }) {
  const t = useWords(words);
  if (!useSession().can("imports.run")) return null;
  return (
    <Button variant="default" onClick={onClick}>
      {t.select}
    </Button>
  );
}

function selectableId({ id, deleted_at }: ListedCustomerRow): string | null {
  return deleted_at === null ? id : null;
}

function NewCustomer({ closeTo }: { closeTo: string }) {
  const [{ panel }] = useUrlState(CLOSED);
  if (!useSession().can("customers.change") || panel !== "new") return null;
  return (
    <Suspense fallback={null}>
      <NewCustomerPanel closeTo={closeTo} />
    </Suspense>
  );
}

/** The number of customers found, also for screen readers; without a search about how many there are. */
function FoundCount({ found, total, shown }: Pick<CustomerList, "found" | "total"> & { shown: number }) {
  const t = useWords(words);
  const format = useFormat();
  if (total !== null && shown > 0)
    return <p className={classes["hint"]}>{t.total(format.number(Math.max(total, shown)))}</p>;
  const count = found === null ? "" : `${format.number(found.count)}${found.has_more ? "+" : ""}`;
  return (
    <p role="status" className={classes["hint"]}>
      {found === null || found.count === 0 ? null : t.found(count, found.count === 1)}
      {found !== null && found.count > shown && shown > 0 ? ` ${t.many(format.number(shown))}` : null}
    </p>
  );
}

/** Whether it is a search, or the newest of all customers: neither is ever slow. */
function isPlain({ q, tier, sort }: Asked): boolean {
  return q !== "" || (tier === "" && sort === NOTHING_ASKED.sort);
}

type Asked = Readonly<Record<keyof typeof NOTHING_ASKED, string>>;

interface ChoicesProps {
  asked: Asked;
  ask(change: Partial<Asked>): void;
  /** Null: not known yet. */
  tiers: CustomerList["tiers"] | null;
}

function Choices({ asked, ask, tiers }: ChoicesProps) {
  const t = useWords(words);
  const { removedTier } = useWords(uiWords);
  const isRemoved = tiers !== null && asked.tier !== "" && !tiers.some(({ uid }) => uid === asked.tier);
  const isSearch = asked.q !== "";
  return (
    <>
      <NativeSelect
        aria-label={t.tier}
        value={asked.tier}
        onChange={(event) => ask({ tier: event.currentTarget.value, ...(isSearch ? {} : { sort: "newest" }) })}
      >
        <option value="">{t.allTiers}</option>
        {tiers?.map(({ uid, name }) => (
          <option key={uid} value={uid}>
            {name}
          </option>
        ))}
        {isRemoved ? <option value={asked.tier}>{removedTier}</option> : null}
      </NativeSelect>
      {isSearch || asked.tier === "" ? (
        <NativeSelect
          aria-label={t.sort}
          value={asked.sort}
          onChange={(event) => ask({ sort: event.currentTarget.value })}
        >
          <option value="newest">{isSearch ? t.bestMatch : t.newest}</option>
          <option value="points">{t.mostPoints}</option>
        </NativeSelect>
      ) : null}
    </>
  );
}

function TooLong({ ask }: Pick<ChoicesProps, "ask">) {
  const t = useWords(words);
  const action = (
    <Button variant="default" onClick={() => ask({ tier: "", sort: NOTHING_ASKED.sort, after: "" })}>
      {t.showNewest}
    </Button>
  );
  return <EmptyState title={t.tooLong} hint={t.tooLongHint} action={action} />;
}

function Nobody({ asked, ask }: Pick<ChoicesProps, "asked" | "ask">) {
  const t = useWords(words);
  if (asked.q !== "" && asked.tier !== "") return <EmptyState title={t.noMatch(asked.q)} hint={t.noMatchInTier} />;
  if (asked.q !== "") return <EmptyState title={t.noMatch(asked.q)} hint={t.noMatchHint} />;
  if (asked.tier !== "") return <NoneFound title={t.noMembers} onClear={() => ask({ tier: "" })} />;
  return <EmptyState title={t.none} hint={t.noneHint} action={<ImportButton />} />;
}

function ImportButton() {
  const t = useWords(words);
  const go = useNavigateTo();
  if (!useSession().can("imports.run")) return null;
  return <Button onClick={() => go("/csv/imports/new?kind=customers")}>{t.importThem}</Button>;
}
