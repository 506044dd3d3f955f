import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CountedOrdersPage } from "../../../src/admin/orders/schema.ts";
import { COUNTED_MAX } from "../../../src/wire/limits.ts";
import { apiQuery } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { Page } from "../../ui/layout/page.tsx";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { FilterText } from "../../ui/lists/filter-text.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { useOrderColumns } from "./columns.tsx";
import classes from "./orders.module.css";
import { words } from "./words.ts";

const DEFAULTS = { q: "", state: "", customer: "", from: "", to: "", after: "" };
type Filters = typeof DEFAULTS;
/** With this width, all filters and the button that clears them fit in one row at 1280 px. */
const STATE_WIDTH = 160;

const listQuery = (filters: Filters) => ({
  queryKey: ["orders", "list", filters],
  queryFn: apiQuery<CountedOrdersPage>("/orders", filters),
});

/** All orders of the store with their points. */
export function OrdersPage() {
  const t = useWords(words);
  const columns = useOrderColumns();
  const [filters, setFilters] = useUrlState(DEFAULTS);
  const list = useQuery({ ...listQuery(filters), placeholderData: keepPreviousData });
  const isFiltered = Object.entries(filters).some(([name, value]) => name !== "after" && value !== "");
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      action={<ListActions list="orders" path="/orders" file="/orders.csv" filters={filters} defaults={DEFAULTS} />}
    >
      <OrderFilters {...{ filters, isFiltered }} onChange={setFilters} error={list.error} />
      <Count total={list.data?.total} />
      <PagedTable
        columns={columns}
        list={list}
        rowKey={(row) => row.order_id}
        rowLink={(row) => `/orders/${encodeURIComponent(row.order_id)}`}
        empty={
          isFiltered ? (
            <NoneFound title={t.noMatch} onClear={() => setFilters(DEFAULTS)} />
          ) : (
            <EmptyState title={t.none} hint={t.noneHint} action={<WhereFrom />} />
          )
        }
        caption={t.caption}
        skeletonRows={16}
        after={filters.after}
        onAfter={(after) => setFilters({ after })}
      />
    </Page>
  );
}

OrdersPage.prefetchedQueries = ({ search }: Address) => [listQuery(urlState(DEFAULTS, search))];

/** How many orders the filters show; a node of an older version does not send it. */
function Count({ total = null }: { total: number | null | undefined }) {
  const t = useWords(words);
  const format = useFormat();
  if (total === null || total === 0) return null;
  const text = total > COUNTED_MAX ? t.countedOver(format.number(COUNTED_MAX)) : t.counted(format.number(total));
  return <p className={classes["count"]}>{text}</p>;
}

/** Orders come from the platform: the page of what it sends says how it is connected, and what has arrived. */
function WhereFrom() {
  const t = useWords(words);
  const go = useNavigateTo();
  const isOwner = useSession().can("credentials.manage");
  return (
    <Button variant={isOwner ? "filled" : "default"} onClick={() => go("/intake")}>
      {isOwner ? t.connect : t.seeIntake}
    </Button>
  );
}

interface OrderFiltersProps {
  filters: Filters;
  isFiltered: boolean;
  onChange(change: Partial<Filters>): void;
  error: unknown;
}

function OrderFilters({ filters, isFiltered, onChange, error }: OrderFiltersProps) {
  const t = useWords(words);
  const states = Object.entries(t.states).map(([value, label]) => ({ value, label }));
  const typed = (name: "customer" | "from" | "to") => ({
    value: filters[name],
    onChange: (value: string) => onChange({ [name]: value }),
    error: faultOf(error, name),
  });
  return (
    <FilterBar onClear={isFiltered ? () => onChange(DEFAULTS) : null}>
      <SearchField value={filters.q} onChange={(q) => onChange({ q })} label={t.search} />
      <NativeSelect
        w={STATE_WIDTH}
        aria-label={t.state}
        value={filters.state}
        onChange={(event) => onChange({ state: event.currentTarget.value })}
        data={[{ value: "", label: t.anyState }, ...states]}
      />
      <FilterText label={t.customerFilter} width={168} {...typed("customer")} />
      <FilterText label={t.from} type="date" {...typed("from")} />
      <FilterText label={t.to} type="date" {...typed("to")} />
    </FilterBar>
  );
}
