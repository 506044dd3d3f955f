import type { CustomerTierChange } from "../../../src/admin/customers/schema.ts";
import { Money } from "../../ui/values/money.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { PartTable } from "./part-table.tsx";
import { words } from "./words.ts";

/** Every change of the customer's tier, and its cause. */
export function TierChangeList({ id }: { id: string }) {
  const t = useWords(words);
  const causes: Readonly<Record<string, string>> = t.causes;
  return (
    <PartTable<CustomerTierChange>
      id={id}
      part="tier-changes"
      caption={t.tabs.tiers}
      empty={t.noTierChanges}
      rowKey={(row) => `${row.changed_at} ${row.from} ${row.to}`}
      columns={[
        { key: "time", onPhone: "second", header: t.changedAt, render: (row) => <Time at={row.changed_at} /> },
        { key: "from", onPhone: "named", header: t.from, render: (row) => row.from ?? "—" },
        { key: "to", onPhone: "first", header: t.to, render: (row) => row.to ?? "—" },
        { key: "cause", onPhone: "second", header: t.cause, render: (row) => causes[row.cause] ?? row.cause },
        { key: "by", onPhone: "second", header: t.by, render: (row) => row.actor ?? "—" },
        {
          key: "spend",
          onPhone: "named",
          header: t.spend,
          align: "right",
          render: (row) => (row.spend === null ? "—" : <Money minor={row.spend} />),
        },
      ]}
    />
  );
}
