import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { Collapsible } from "../../ui/layout/collapsible.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { StateBadge, type Tone } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useReceiptWords } from "../../words/receipt-words.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { words } from "./order-words.ts";

type Receipt = OrderDetail["receipts"][number];

const TONES: Readonly<Record<string, Tone>> = { failed: "bad", quarantined: "bad", waiting: "warn", new: "warn" };

/** The events that the platform sent about the order, in the order of arrival. */
export function OrderEvents({ order }: { order: OrderDetail }) {
  const t = useWords(words);
  const say = useReceiptWords();
  const states: Readonly<Record<string, string>> = t.eventStates;
  const columns: readonly Column<Receipt>[] = [
    {
      key: "time",
      onPhone: "second",
      header: t.time,
      width: "144px",
      render: (row) => (
        <PageLink to={`/intake/${row.uid}`}>
          <Time at={row.received_at} />
        </PageLink>
      ),
    },
    { key: "event", onPhone: "first", header: t.event, render: (row) => say.topic(row.topic) },
    { key: "adapter", onPhone: "second", header: t.platform, render: (row) => say.source(row.adapter) },
    {
      key: "state",
      onPhone: "second",
      header: t.eventState,
      render: ({ state, note }) => (
        <span className={classes["item"]}>
          <span>
            <StateBadge tone={TONES[state] ?? "neutral"}>{states[state] ?? state}</StateBadge>
          </span>
          {note === null ? null : <span className={classes["small"]}>{say.note(note)}</span>}
        </span>
      ),
    },
  ];
  return (
    <Collapsible title={t.events}>
      <DataTable
        columns={columns}
        rows={order.receipts}
        rowKey={(row) => row.uid}
        empty={<span className={classes["quiet"]}>{t.noEvents}</span>}
        caption={t.events}
      />
    </Collapsible>
  );
}
