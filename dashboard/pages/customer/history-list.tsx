import type { HistoryRow } from "../../../src/admin/customers/schema.ts";
import { Clamped } from "../../ui/values/clamped.tsx";
import { Points } from "../../ui/values/points.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { PartTable } from "./part-table.tsx";
import { words } from "./words.ts";

/** The history in another app before the points were moved here: shown, but not part of the balance. */
export function HistoryList({ id }: { id: string }) {
  const t = useWords(words);
  const names: Readonly<Record<string, string>> = t.historyKinds;
  return (
    <>
      <p className={classes["quiet"]}>{t.historyHint}</p>
      <PartTable<HistoryRow>
        id={id}
        part="history"
        caption={t.tabs.history}
        empty={t.noHistory}
        rowKey={(row) => row.id}
        columns={[
          { key: "time", onPhone: "second", header: t.occurredAt, render: (row) => <Time at={row.occurred_at} /> },
          { key: "kind", onPhone: "first", header: t.historyKind, render: (row) => names[row.kind] },
          {
            key: "points",
            onPhone: "first",
            header: t.cost,
            align: "right",
            render: (row) => <Points value={row.points} signed />,
          },
          { key: "source", onPhone: "second", header: t.historySource, render: (row) => row.source },
          {
            key: "note",
            onPhone: "second",
            header: t.historyNote,
            render: (row) => <Clamped>{row.note ?? "—"}</Clamped>,
          },
        ]}
      />
    </>
  );
}
