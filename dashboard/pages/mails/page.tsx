import { NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { MailPage, MailRow } from "../../../src/admin/messages/schema.ts";
import { MAIL_CATEGORY_NAMES, MAIL_STATES } from "../../../src/wire/mails.ts";
import { apiQuery } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { Page } from "../../ui/layout/page.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { countQuery } from "../../ui/lists/count-query.ts";
import type { Column } from "../../ui/lists/data-table.tsx";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { StateBadge, type Tone } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useLanguage } from "../../words/language.tsx";
import { localizeFailure } from "../../words/localize-failure.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const NO_FILTER = { about: "", state: "", to: "", after: "" };
const TONES: Readonly<Record<MailRow["state"], Tone>> = {
  waiting: "neutral",
  sent: "good",
  failed: "bad",
  expired: "warn",
  withdrawn: "neutral",
};

function mailsQuery(filter: typeof NO_FILTER) {
  return { queryKey: ["mails", filter], queryFn: apiQuery<MailPage>("/mails", filter) };
}

/** The state of every mail. */
export function MailsPage() {
  const t = useWords(words);
  const [filter, setFilter] = useUrlState(NO_FILTER);
  const list = useQuery({ ...mailsQuery(filter), placeholderData: keepPreviousData });
  const isFiltered = filter.about !== "" || filter.state !== "" || filter.to !== "";
  const change = (part: Partial<typeof filter>) => setFilter({ ...part, after: "" });
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      back={{ to: "/messages", label: t.messages }}
      action={<ListActions list="mails" path="/mails" file="/mails.csv" filters={filter} defaults={NO_FILTER} />}
    >
      <FilterBar onClear={isFiltered ? () => setFilter(NO_FILTER) : null}>
        <SearchField value={filter.to} onChange={(to) => change({ to })} label={t.address} />
        <Choice
          label={t.about}
          value={filter.about}
          names={Object.fromEntries(MAIL_CATEGORY_NAMES.map((name) => [name, t.abouts[name]]))}
          onChange={(about) => change({ about })}
        />
        <Choice
          label={t.state}
          value={filter.state}
          names={Object.fromEntries(MAIL_STATES.map((name) => [name, t.states[name]]))}
          onChange={(state) => change({ state })}
        />
      </FilterBar>
      <PagedTable
        caption={t.title}
        columns={useColumns()}
        list={list}
        rowKey={({ uid }) => uid}
        after={filter.after}
        onAfter={(after) => setFilter({ after })}
        count={countQuery("mails", "/mails/count", { filter })}
        empty={
          isFiltered ? (
            <NoneFound title={t.noneFiltered} onClear={() => setFilter(NO_FILTER)} />
          ) : (
            <EmptyState title={t.none} hint={t.noneHint} />
          )
        }
      />
    </Page>
  );
}

MailsPage.prefetchedQueries = ({ search }: Address) => [mailsQuery(urlState(NO_FILTER, search))];

interface ChoiceProps {
  label: string;
  value: string;
  names: Readonly<Record<string, string>>;
  onChange(value: string): void;
}

function Choice({ label, value, names, onChange }: ChoiceProps) {
  const t = useWords(words);
  const data = [
    { value: "", label: `${label}: ${t.any}` },
    ...Object.entries(names).map(([key, name]) => ({ value: key, label: name })),
  ];
  return (
    <NativeSelect
      aria-label={label}
      data={data}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function useColumns(): Column<MailRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const { language } = useLanguage();
  return [
    {
      key: "to",
      isName: true,
      onPhone: "first",
      header: t.to,
      render: ({ to, customer_id: id }) =>
        id === null ? to : <PageLink to={`/customers/${encodeURIComponent(id)}`}>{to}</PageLink>,
    },
    {
      key: "state",
      onPhone: "first",
      header: t.state,
      render: ({ state }) => <StateBadge tone={TONES[state]}>{t.states[state]}</StateBadge>,
    },
    { key: "subject", onPhone: "second", header: t.subject, render: ({ subject }) => subject },
    { key: "about", header: t.about, render: ({ about }) => t.abouts[about] },
    {
      key: "queued",
      onPhone: "second",
      header: t.queued,
      width: "150px",
      render: ({ queued_at }) => <Time at={queued_at} />,
    },
    { key: "attempts", header: t.attempts, align: "right", render: ({ attempts }) => format.number(attempts) },
    {
      key: "result",
      header: t.result,
      render: ({ error }) => (error === null ? "—" : localizeFailure(error, language)),
    },
  ];
}
