import { NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CustomerHead, TimelineEntry } from "../../../src/admin/customers/schema.ts";
import { apiQuery } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";
import { useWords } from "../../words/use-words.ts";
import { ledgerWords } from "./ledger-words.ts";
import { useTimelineColumns } from "./timeline-columns.tsx";
import { UndoDialog } from "./undo-dialog.tsx";
import { customerKey, customerPath } from "./use-customer.ts";

const NOTHING_ASKED = { type: "", balance: "", after: "" };

const timelineQuery = (id: string, asked: typeof NOTHING_ASKED) => ({
  queryKey: [...customerKey(id), "ledger", asked],
  queryFn: apiQuery<{ data: TimelineEntry[]; next: string | null }>(`${customerPath(id)}/ledger`, asked),
});

/** The query of the ledger's first page, from the parameters of an address. */
export function timelineQueryAt(id: string, search: Address["search"]) {
  return timelineQuery(id, urlState(NOTHING_ASKED, search));
}

/** The customer's ledger: each change with its reason, source and person; a row opens its explanation. */
export function Timeline({ customer }: { customer: CustomerHead }) {
  const t = useWords(ledgerWords);
  const [asked, ask] = useUrlState(NOTHING_ASKED);
  const [undoing, setUndoing] = useState<TimelineEntry | null>(null);
  const list = useQuery({ ...timelineQuery(customer.id, asked), placeholderData: keepPreviousData });
  return (
    <>
      <TypeChoice value={asked.type} onChange={(type) => ask({ type })} />
      <PagedTable
        caption={t.caption}
        columns={useTimelineColumns(customer.deleted_at === null ? setUndoing : null)}
        list={list}
        rowKey={(row) => row.uid}
        rowLink={(row) => `${customerPath(customer.id)}/ledger/${row.uid}${writeSearch(asked)}`}
        linksToPanel
        empty={asked.type === "" ? t.none : t.noMatch}
        after={asked.after}
        onAfter={(after) => ask({ after })}
      />
      {undoing === null ? null : <UndoDialog customer={customer} row={undoing} onClose={() => setUndoing(null)} />}
    </>
  );
}

function TypeChoice({ value, onChange }: { value: string; onChange(type: string): void }) {
  const t = useWords(ledgerWords);
  return (
    <NativeSelect w={200} aria-label={t.type} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{t.allTypes}</option>
      {Object.entries(t.types).map(([type, name]) => (
        <option key={type} value={type}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}
