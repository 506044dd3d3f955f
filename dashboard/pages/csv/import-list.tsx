import { Button } from "@mantine/core";
import type { ImportRow } from "../../../src/admin/csv/schema.ts";
import { useSession } from "../../api/session.ts";
import type { Column } from "../../ui/lists/data-table.tsx";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { Points } from "../../ui/values/points.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { ImportState } from "./import-state.tsx";
import { listWords } from "./list-words.ts";
import { NOTHING_ASKED, useImports } from "./use-imports.ts";
import { words } from "./words.ts";

/** Every imported file, newest first. */
export function ImportList() {
  const t = useWords(words);
  const l = useWords(listWords);
  const [asked, ask] = useUrlState(NOTHING_ASKED);
  const go = useNavigateTo();
  const mayImport = useSession().can("imports.run");
  const add = <Button onClick={() => go("/csv/imports/new")}>{t.newImport}</Button>;
  const list = useImports(asked);
  const none = <EmptyState title={t.noImports} hint={t.noImportsHint} action={mayImport ? add : undefined} />;
  return (
    <>
      <FilterBar>
        <SearchField value={asked.q} onChange={(q) => ask({ q })} label={l.search} />
      </FilterBar>
      <PagedTable
        caption={t.imports}
        columns={useColumns()}
        list={list}
        rowKey={({ uid }) => uid}
        rowLink={({ uid }) => `/csv/imports/${uid}`}
        empty={asked.q === "" ? none : <NoneFound title={l.noneFound(asked.q)} onClear={() => ask({ q: "" })} />}
        after={asked.after}
        onAfter={(after) => ask({ after })}
      />
    </>
  );
}

/** The points that an import has moved, or would move, with their sign. */
function MovedPoints({ row }: { row: ImportRow }) {
  const totals = row.import ?? row.check;
  if ((row.kind !== "points" && row.kind !== "move") || totals === null) return "—";
  return (
    <>
      <Points value={totals.points_added} signed />{" "}
      {totals.points_taken > 0 ? <Points value={-totals.points_taken} signed /> : null}
    </>
  );
}

function useColumns(): Column<ImportRow>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    { key: "file", onPhone: "first", header: t.file, isName: true, render: ({ file_name }) => file_name },
    { key: "kind", onPhone: "second", header: t.kind, render: ({ kind }) => t.kinds[kind] },
    { key: "state", onPhone: "second", header: t.state, render: ({ state }) => <ImportState state={state} /> },
    {
      key: "rows",
      header: t.rows,
      align: "right",
      render: ({ check }) => (check === null ? "—" : format.number(check.row_count)),
    },
    {
      key: "faults",
      header: t.faults,
      align: "right",
      render: ({ check, import: done }) =>
        check === null ? "—" : format.number(check.fault_count + (done?.fault_count ?? 0)),
    },
    { key: "points", onPhone: "first", header: t.points, align: "right", render: (row) => <MovedPoints row={row} /> },
    { key: "by", header: t.by, render: ({ created_by }) => created_by },
    { key: "when", onPhone: "second", header: t.when, render: ({ created_at }) => <Time at={created_at} /> },
  ];
}
