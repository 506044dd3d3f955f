import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { Points } from "../../ui/values/points.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { causeText } from "./cause-text.ts";
import classes from "./order.module.css";
import { words } from "./order-words.ts";
import { words as listWords } from "./words.ts";

type Posting = OrderDetail["postings"][number];

/** The order's postings, each with a link to its explanation. */
export function OrderPostings({ order }: { order: OrderDetail }) {
  const t = useWords(words);
  const columns = usePostingColumns(order);
  return (
    <Section title={t.allotments}>
      <DataTable
        columns={columns}
        rows={order.postings}
        rowKey={(row) => row.cause}
        empty={<span className={classes["quiet"]}>{t.noPostings}</span>}
        caption={t.allotments}
      />
    </Section>
  );
}

function usePostingColumns(order: OrderDetail): readonly Column<Posting>[] {
  const t = useWords(words);
  const list = useWords(listWords);
  return [
    { key: "time", onPhone: "second", header: t.time, width: "144px", render: (row) => <PostingTime posting={row} /> },
    { key: "cause", onPhone: "first", header: t.cause, render: (row) => causeText(row.cause, t.causes, order) },
    {
      key: "customer",
      onPhone: "second",
      header: list.customer,
      render: ({ customer }) => (customer === null ? "—" : <CustomerLink customer={customer} />),
    },
    { key: "wanted", header: t.wanted, align: "right", render: (row) => <Points value={row.wanted} signed /> },
    {
      key: "taken",
      onPhone: "first",
      header: t.taken,
      align: "right",
      render: (row) => <Points value={row.taken} signed />,
    },
    { key: "outcome", onPhone: "second", header: t.outcome, render: (row) => <Outcome outcome={row.outcome} /> },
  ];
}

function PostingTime({ posting }: { posting: Posting }) {
  if (posting.uid === null) return "—";
  return (
    <PageLink to={`/ledger/${posting.uid}`}>
      <Time at={posting.allotted_at} />
    </PageLink>
  );
}

function Outcome({ outcome }: { outcome: string }) {
  const t = useWords(words);
  const names: Readonly<Record<string, string>> = t.outcomes;
  const isShort = ["capped", "owed", "refused", "duplicate", "set_off"].includes(outcome);
  return <StateBadge tone={isShort ? "warn" : "neutral"}>{names[outcome] ?? outcome}</StateBadge>;
}
