import { Button } from "@mantine/core";
import type { SegmentRow } from "../../../src/admin/segments/schema.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { draftOf, FIELDS } from "./filter-draft.ts";
import { FilterText } from "./filter-text.tsx";
import { SegmentForm } from "./segment-form.tsx";
import { useSegments } from "./use-segments.ts";
import { words } from "./words.ts";

const NOTHING = { ...Object.fromEntries(FIELDS.map((name) => [name, ""])), name: "" };

/** All segments with their counts. At `/segments/new` the form of a new one, with the name and the conditions of the address. */
export function SegmentList({ isNew }: { isNew: boolean }) {
  const t = useWords(words);
  const go = useNavigateTo();
  const { can } = useSession();
  const { data, error, refetch } = useSegments();
  const [{ name: proposed, ...given }] = useUrlState(NOTHING);
  const add = <Button onClick={() => go("/segments/new")}>{t.newSegment}</Button>;
  const mayAdd = can("segments.change");
  return (
    <Page title={t.title} subtitle={t.subtitle} action={mayAdd ? add : undefined}>
      <DataTable
        caption={t.list}
        columns={useColumns(data?.tiers ?? [])}
        rows={data?.data}
        rowKey={({ uid }) => uid}
        rowLink={({ uid }) => `/segments/${uid}`}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t.none} hint={t.noneHint} action={mayAdd ? add : undefined} />}
      />
      {isNew && mayAdd ? (
        <SegmentForm
          segment={null}
          name={proposed}
          draft={{ ...draftOf({}, 0), ...given }}
          tiers={data?.tiers ?? null}
          closeTo="/segments"
        />
      ) : null}
    </Page>
  );
}

function useColumns(tiers: readonly { uid: string; name: string }[]): Column<SegmentRow>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    { key: "name", onPhone: "first", header: t.name, isName: true, render: ({ name }) => name },
    {
      key: "customers",
      onPhone: "first",
      header: t.customers,
      align: "right",
      render: (row) => <Count segment={row} />,
    },
    {
      key: "filter",
      onPhone: "second",
      header: t.filter,
      isName: true,
      render: ({ filter }) => <FilterText filter={filter} tiers={tiers} />,
    },
    {
      key: "counted",
      header: t.counted,
      width: "140px",
      render: ({ progress, counted_at }) =>
        progress === null ? <Time at={counted_at} /> : t.counting(format.percent(progress)),
    },
  ];
}

export function Count({ segment: { customers } }: { segment: SegmentRow }) {
  const t = useWords(words);
  const format = useFormat();
  return customers === null ? t.notCounted : format.number(customers);
}
