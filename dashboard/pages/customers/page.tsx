import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CustomerList } from "../../../src/admin/customers/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiGet } from "../../api/client.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { useUrlState } from "../../ui/use-url-state.ts";
import { useWords } from "../../words/use-words.ts";
import { useCustomerColumns } from "./columns.tsx";
import classes from "./customers.module.css";
import { words } from "./words.ts";

const FOUND_MAX = 50;
const NOTHING_ASKED = { q: "", tier: "", sort: "newest", after: "" };

/** Customers as they are searched for, or all of them page by page. */
export function CustomersPage() {
  const t = useWords(words);
  const [asked, ask] = useUrlState(NOTHING_ASKED);
  const list = useQuery({
    queryKey: ["customers", "list", asked],
    queryFn: ({ signal }) => apiGet<CustomerList>("/customers", asked, signal),
    placeholderData: keepPreviousData,
    ...(isPlain(asked) ? {} : { retry: false }), // the service gave up: the same again only loads it more
  });
  const isTooLong = !isPlain(asked) && list.error instanceof ApiError && list.error.status === 503;
  const rows = isTooLong ? [] : list.data?.data;
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <FilterBar>
        <SearchField value={asked.q} onChange={(q) => ask({ q })} label={t.search} />
        {asked.q === "" ? <Choices asked={asked} ask={ask} tiers={list.data?.tiers ?? []} /> : null}
      </FilterBar>
      <DataTable
        caption={t.caption}
        columns={useCustomerColumns()}
        rows={rows}
        rowKey={(row) => row.uid}
        rowLink={(row) => `/customers/${encodeURIComponent(row.id)}`}
        isLoading={list.isPlaceholderData}
        error={isTooLong ? null : list.error}
        onRetry={() => void list.refetch()}
        empty={isTooLong ? <TooLong ask={ask} /> : <Nobody asked={asked} />}
        skeletonRows={16}
      />
      {asked.q !== "" && rows?.length === FOUND_MAX ? <p className={classes["hint"]}>{t.many}</p> : null}
      <Pager
        next={list.data?.next}
        onNext={(after) => ask({ after })}
        isFirst={asked.after === ""}
        onFirst={() => ask({ after: "" })}
      />
    </Page>
  );
}

/** A search, or the newest of all: never long, however many customers there are. */
function isPlain({ q, tier, sort }: Asked): boolean {
  return q !== "" || (tier === "" && sort === NOTHING_ASKED.sort);
}

type Asked = Readonly<Record<keyof typeof NOTHING_ASKED, string>>;

interface ChoicesProps {
  asked: Asked;
  ask(change: Partial<Asked>): void;
  tiers: CustomerList["tiers"];
}

function Choices({ asked, ask, tiers }: ChoicesProps) {
  const t = useWords(words);
  return (
    <>
      <NativeSelect
        aria-label={t.tier}
        value={asked.tier}
        onChange={(event) => ask({ tier: event.currentTarget.value, sort: "newest" })}
      >
        <option value="">{t.allTiers}</option>
        {tiers.map(({ uid, name }) => (
          <option key={uid} value={uid}>
            {name}
          </option>
        ))}
      </NativeSelect>
      {asked.tier === "" ? (
        <NativeSelect
          aria-label={t.sort}
          value={asked.sort}
          onChange={(event) => ask({ sort: event.currentTarget.value })}
        >
          <option value="newest">{t.newest}</option>
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

function Nobody({ asked }: { asked: Asked }) {
  const t = useWords(words);
  if (asked.q !== "") return <EmptyState title={t.noMatch(asked.q)} hint={t.noMatchHint} />;
  if (asked.tier !== "") return <EmptyState title={t.noMembers} />;
  return <EmptyState title={t.none} hint={t.noneHint} />;
}
