import type { SubscriptionRow } from "../../../src/admin/webhooks/schema.ts";
import { topicSlug } from "../../ui/address.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { ReceiverState } from "./receiver-state.tsx";
import { TopicName } from "./topic-name.tsx";
import { useReceivers } from "./use-webhooks.ts";
import { words } from "./words.ts";

/** Each topic with its subscriptions and the state of their deliveries. */
export function Receivers({ search }: { search: string }) {
  const t = useWords(words);
  const { data, error, refetch } = useReceivers();
  return (
    <Section title={t.receivers}>
      <DataTable
        caption={t.receivers}
        columns={useColumns()}
        rows={data}
        rowKey={({ topic }) => topic}
        rowLink={({ topic }) => `/webhooks/topic/${topicSlug(topic)}${search}`}
        linksToPanel
        error={error}
        onRetry={refetch}
        empty={t.unsubscribed}
        skeletonRows={3}
      />
    </Section>
  );
}

function useColumns(): Column<SubscriptionRow>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    { key: "topic", header: t.topic, render: ({ topic }) => <TopicName topic={topic} /> },
    { key: "health", header: t.health, render: (row) => <ReceiverState receiver={row} /> },
    { key: "waiting", header: t.waiting, align: "right", render: (row) => <Count row={row} state="waiting" /> },
    { key: "failed", header: t.failed, align: "right", render: (row) => <Count row={row} state="failed" /> },
    {
      key: "answers",
      header: t.answers,
      align: "right",
      render: ({ median_ms }) => (median_ms === null ? "—" : t.median(format.number(median_ms))),
    },
    { key: "success", header: t.lastSuccess, width: "140px", render: (row) => <Time at={row.last_success_at} /> },
  ];
}

/** How many wait or failed, leading to their list. */
function Count({ row, state }: { row: SubscriptionRow; state: "waiting" | "failed" }) {
  const format = useFormat();
  const count = row[state];
  if (row.uid === null) return "—";
  if (count === 0) return format.number(0);
  const more = count >= row.counted_to ? "+" : "";
  const search = new URLSearchParams({ state, topic: row.topic });
  return <PageLink to={`/webhooks?${search}`}>{`${format.number(count)}${more}`}</PageLink>;
}
