import { Button } from "@mantine/core";
import type { DeliveryRow } from "../../../src/admin/webhooks/schema.ts";
import { useSession } from "../../api/session.ts";
import { Section } from "../../ui/layout/section.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { NoneFound } from "../../ui/lists/none-found.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { topicSlug } from "../../ui/urls/address.ts";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryState } from "./delivery-state.tsx";
import { TopicName } from "./topic-name.tsx";
import {
  type DeliveryFilter,
  deliveriesCountQuery,
  filterSearch,
  NO_FILTER,
  useDeliveries,
  useReceivers,
} from "./use-webhooks.ts";
import { words } from "./words.ts";

interface DeliveriesProps {
  filter: DeliveryFilter;
  onChange(change: Partial<DeliveryFilter>): void;
}

/** Deliveries, sent and waiting; each links to its attempts. */
export function Deliveries({ filter, onChange }: DeliveriesProps) {
  const t = useWords(words);
  const list = useDeliveries(filter);
  const isFiltered = filterSearch({ ...filter, after: "" }) !== "";
  return (
    <Section title={t.deliveries}>
      <DeliveryFilters filter={filter} onChange={onChange} error={list.error} />
      <PagedTable
        caption={t.deliveries}
        columns={useColumns(filter.state)}
        list={list}
        rowKey={({ uid, subscription_uid }) => `${uid} ${subscription_uid}`}
        rowLink={({ uid }) => `/webhooks/delivery/${uid}${filterSearch(filter)}`}
        linksToPanel
        empty={
          isFiltered ? (
            <NoneFound title={t.noneFiltered} onClear={() => onChange(NO_FILTER)} />
          ) : (
            <EmptyState title={t.none} hint={t.noneHint} action={<SubscribeButton />} />
          )
        }
        after={filter.after}
        onAfter={(after) => onChange({ after })}
        count={deliveriesCountQuery(filter)}
      />
    </Section>
  );
}

/** A link to the form of the first topic without a receiver. */
function SubscribeButton() {
  const t = useWords(words);
  const go = useNavigateTo();
  const { can } = useSession();
  const free = useReceivers().data?.find(({ uid }) => uid === null);
  if (free === undefined || !can("webhooks.manage")) return null;
  return <Button onClick={() => go(`/webhooks/topic/${topicSlug(free.topic)}`)}>{t.subscribe}</Button>;
}

function useColumns(state: string): Column<DeliveryRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const due = state === "waiting" ? [{ key: "due", header: t.nextTry, render: dueTime, width: "128px" }] : [];
  return [
    { key: "topic", onPhone: "first", header: t.topic, render: ({ topic }) => <TopicName topic={topic} /> },
    { key: "state", onPhone: "second", header: t.state, render: (row) => <DeliveryState state={row.state} /> },
    { key: "customer", onPhone: "second", header: t.customer, isName: true, render: customerLink },
    { key: "answer", header: t.lastAnswer, render: (row) => <LastAnswer row={row} /> },
    { key: "attempts", header: t.attempts, align: "right", render: ({ attempts }) => format.number(attempts) },
    ...due,
    {
      key: "last",
      onPhone: "second",
      header: t.lastAttempt,
      width: "128px",
      render: ({ last_at }) => <Time at={last_at} />,
    },
  ];
}

function dueTime({ due_at }: DeliveryRow) {
  return <Time at={due_at} />;
}

function customerLink({ customer }: DeliveryRow) {
  return customer === null ? "—" : <CustomerLink customer={customer} />;
}

function LastAnswer({ row }: { row: DeliveryRow }) {
  const t = useWords(words);
  if (row.last_status !== null) return row.last_status;
  return row.last_failure === null ? "—" : <span title={row.last_failure}>{t.noAnswer}</span>;
}
