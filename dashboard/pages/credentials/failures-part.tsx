import type { ShownAuthFailures } from "../../../src/admin/credentials/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { useAuthFailures } from "./use-credentials.ts";
import { words } from "./words.ts";

type Row = ShownAuthFailures["addresses"][number];

/** Requests of the last 24 hours without a known secret, by address. */
export function FailuresPart() {
  const t = useWords(words);
  const format = useFormat();
  const failures = useAuthFailures();
  const columns: Column<Row>[] = [
    { key: "address", header: t.address, render: ({ address }) => address ?? t.otherAddresses },
    { key: "failures", header: t.failures, align: "right", render: ({ failures: count }) => format.number(count) },
    { key: "last", header: t.lastFailure, render: ({ last_at }) => <Time at={last_at} /> },
  ];
  return (
    <Section title={t.failuresTitle}>
      <div>{t.failuresWhat}</div>
      <DataTable
        caption={t.failuresTitle}
        columns={columns}
        rows={failures.data?.addresses}
        rowKey={(row) => row.address ?? ""}
        isLoading={failures.isLoading}
        error={failures.error}
        onRetry={failures.refetch}
        empty={t.noFailures}
      />
    </Section>
  );
}
