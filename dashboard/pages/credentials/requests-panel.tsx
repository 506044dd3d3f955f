import { NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LoggedRequestRow, LoggedRequestsPage } from "../../../src/admin/credentials/schema.ts";
import { REQUEST_OUTCOMES } from "../../../src/wire/access.ts";
import { apiGet } from "../../api/client.ts";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { FilterText } from "../../ui/lists/filter-text.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { requestWords } from "./request-words.ts";

/** New requests appear while the panel is open. */
const REFRESH_MS = 5_000;
const NO_FILTER = { outcome: "", request_id: "", after: "" };

/** The requests of a credential within the last day. */
export function RequestsPanel({ credentialKey, closeTo }: { credentialKey: string; closeTo: string }) {
  const t = useWords(requestWords);
  const format = useFormat();
  const [filter, setFilter] = useUrlState(NO_FILTER);
  const isFiltered = filter.outcome !== "" || filter.request_id !== "";
  const list = useQuery({
    queryKey: ["credentials", "requests", credentialKey, filter],
    queryFn: ({ signal }) =>
      apiGet<LoggedRequestsPage>(`/credentials/${encodeURIComponent(credentialKey)}/requests`, filter, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const { data } = list;
  const none = data?.hours === 0 ? <EmptyState title={t.off} /> : <EmptyState title={t.none} hint={t.noneHint} />;
  return (
    <SidePanel title={data === undefined ? t.loading : t.title(data.credential.name)} closeTo={closeTo}>
      {data === undefined || data.hours === 0 ? null : <div>{t.what(format.number(data.hours))}</div>}
      <FilterBar onClear={isFiltered ? () => setFilter(NO_FILTER) : null}>
        <NativeSelect
          aria-label={t.outcome}
          data={[
            { value: "", label: t.every },
            ...REQUEST_OUTCOMES.map((value) => ({ value, label: t.outcomes[value] })),
          ]}
          value={filter.outcome}
          onChange={(event) => setFilter({ outcome: event.currentTarget.value })}
        />
        <FilterText
          label={t.id}
          value={filter.request_id}
          onChange={(request_id) => setFilter({ request_id })}
          width={200}
        />
      </FilterBar>
      <PagedTable
        caption={data === undefined ? t.loading : t.title(data.credential.name)}
        columns={useColumns()}
        list={list}
        rowKey={({ uid }) => uid}
        empty={isFiltered ? <NoneFound title={t.noneFiltered} onClear={() => setFilter(NO_FILTER)} /> : none}
        after={filter.after}
        onAfter={(after) => setFilter({ after })}
      />
      {data === undefined || data.unlisted === 0 ? null : <div>{t.unlisted(format.number(data.unlisted))}</div>}
    </SidePanel>
  );
}

function useColumns(): Column<LoggedRequestRow>[] {
  const t = useWords(requestWords);
  const format = useFormat();
  return [
    {
      key: "route",
      header: t.route,
      onPhone: "first",
      render: ({ route, request_id }) => (
        <div className={classes["request"]}>
          <code>{route}</code>
          <CopyId value={request_id} />
        </div>
      ),
    },
    {
      key: "at",
      header: t.at,
      onPhone: "second",
      render: ({ at }) => <time dateTime={at}>{format.exact(at)}</time>,
    },
    {
      key: "status",
      header: t.status,
      onPhone: "second",
      isShort: true,
      render: ({ status }) => <StateBadge tone={toneOf(status)}>{status}</StateBadge>,
    },
    {
      key: "time",
      header: t.time,
      onPhone: "second",
      align: "right",
      isShort: true,
      render: ({ ms }) => t.ms(format.number(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms))),
    },
  ];
}

function toneOf(status: number): "good" | "warn" | "bad" {
  if (status < 400) return "good";
  return status < 500 ? "warn" : "bad";
}
