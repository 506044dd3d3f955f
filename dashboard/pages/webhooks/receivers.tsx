import type { AdditionalRow, SubscriptionRow } from "../../../src/admin/webhooks/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { topicSlug } from "../../ui/urls/address.ts";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { ReceiverState } from "./receiver-state.tsx";
import { TopicName } from "./topic-name.tsx";
import { useReceivers } from "./use-webhooks.ts";
import classes from "./webhooks.module.css";
import { words } from "./words.ts";

/** Each topic with its subscription and the state of its deliveries; below them the additional receivers, if any. */
export function Receivers({ search }: { search: string }) {
  const t = useWords(words);
  const { data, error, refetch } = useReceivers();
  const additional = (data ?? []).flatMap((row) =>
    row.additional.map((receiver) => ({ ...receiver, topic: row.topic })),
  );
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
      {additional.length === 0 ? null : <AdditionalReceivers rows={additional} />}
    </Section>
  );
}

function useColumns(): Column<SubscriptionRow>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    { key: "topic", onPhone: "first", header: t.topic, render: ({ topic }) => <TopicName topic={topic} /> },
    { key: "health", onPhone: "second", header: t.health, render: (row) => <ReceiverState receiver={row} /> },
    {
      key: "waiting",
      onPhone: "named",
      header: t.waiting,
      align: "right",
      render: (row) => <Count row={row} state="waiting" />,
    },
    {
      key: "failed",
      onPhone: "named",
      header: t.failed,
      align: "right",
      render: (row) => <Count row={row} state="failed" />,
    },
    {
      key: "answers",
      header: t.answers,
      align: "right",
      render: ({ median_ms }) => (median_ms === null ? "—" : t.median(format.number(median_ms))),
    },
    { key: "success", header: t.lastSuccess, width: "140px", render: (row) => <Time at={row.last_success_at} /> },
  ];
}

type Additional = AdditionalRow & { readonly topic: string };

/** The health of the additional receivers, which commands add and remove. */
function AdditionalReceivers({ rows }: { rows: readonly Additional[] }) {
  const t = useWords(words);
  const format = useFormat();
  const counted = (count: number, countedTo: number) => `${format.number(count)}${count >= countedTo ? "+" : ""}`;
  const columns: Column<Additional>[] = [
    { key: "address", onPhone: "first", header: t.additional, render: (row) => <Address row={row} /> },
    { key: "health", onPhone: "second", header: t.health, render: (row) => <ReceiverState receiver={row} /> },
    {
      key: "waiting",
      onPhone: "named",
      header: t.waiting,
      align: "right",
      render: (row) => counted(row.waiting, row.counted_to),
    },
    {
      key: "failed",
      onPhone: "named",
      header: t.failed,
      align: "right",
      render: (row) => counted(row.failed, row.counted_to),
    },
    {
      key: "answers",
      header: t.answers,
      align: "right",
      render: ({ median_ms }) => (median_ms === null ? "—" : t.median(format.number(median_ms))),
    },
    { key: "success", header: t.lastSuccess, width: "140px", render: (row) => <Time at={row.last_success_at} /> },
  ];
  return (
    <div className={classes["additional"]}>
      <DataTable caption={t.additional} columns={columns} rows={rows} rowKey={({ uid }) => uid} empty={t.none} />
    </div>
  );
}

function Address({ row: { topic, callback_url } }: { row: Additional }) {
  return (
    <div className={classes["address"]}>
      <CopyId value={callback_url} />
      <TopicName topic={topic} />
    </div>
  );
}

/** The number of waiting or failed deliveries, with a link to their list. */
function Count({ row, state }: { row: SubscriptionRow; state: "waiting" | "failed" }) {
  const format = useFormat();
  const count = row[state];
  if (row.uid === null) return "—";
  if (count === 0) return format.number(0);
  const more = count >= row.counted_to ? "+" : "";
  const search = new URLSearchParams({ state, topic: row.topic });
  return <PageLink to={`/webhooks?${search}`}>{`${format.number(count)}${more}`}</PageLink>;
}
