import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { apiQuery } from "../../api/client.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { OrderEvents } from "./order-events.tsx";
import { OrderFacts } from "./order-facts.tsx";
import { OrderLines } from "./order-lines.tsx";
import { OrderPostings } from "./order-postings.tsx";
import { OrderRules } from "./order-rules.tsx";
import { OrderStateBadge } from "./order-state.tsx";
import { OrderTasks } from "./order-tasks.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { words } from "./order-words.ts";
import { RecomputeDialog } from "./recompute-dialog.tsx";
import { words as recomputeWords } from "./recompute-words.ts";
import { WhyNothing } from "./why-nothing.tsx";

const orderQuery = (id: string) => ({
  queryKey: ["orders", "one", id],
  queryFn: apiQuery<{ data: OrderDetail }>(`/orders/${encodeURIComponent(id)}`),
});

/** One order: its points and everything that led to them. */
export function OrderPage() {
  const id = useParam("id") ?? "";
  return <Shown key={id} id={id} />; // a dialog about this order is not open over another one
}

function Shown({ id }: { id: string }) {
  const t = useWords(words);
  const again = useWords(recomputeWords);
  const { can } = useSession();
  const [isRecomputing, setIsRecomputing] = useState(false);
  const found = useQuery(orderQuery(id));
  const order = found.data?.data;
  const recompute = (
    <Button variant="default" onClick={() => setIsRecomputing(true)}>
      {again.recompute}
    </Button>
  );
  return (
    <Page
      title={t.title(order?.name ?? id)}
      back={{ to: "/orders", label: t.back }}
      subtitle={order === undefined ? undefined : <Subtitle order={order} />}
      action={order !== undefined && can("orders.recompute") ? recompute : undefined}
    >
      {found.error === null || order !== undefined ? null : (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      )}
      {order === undefined && found.error === null ? <Skeleton height={480} /> : null}
      {order === undefined ? null : <OrderParts order={order} />}
      {isRecomputing ? <RecomputeDialog orderId={id} onClose={() => setIsRecomputing(false)} /> : null}
    </Page>
  );
}

OrderPage.prefetchedQueries = ({ params: { id = "" } }: Address) => [orderQuery(id)];

function Subtitle({ order }: { order: OrderDetail }) {
  return (
    <span className={classes["subtitle"]}>
      <CopyId value={order.order_id} /> <OrderStateBadge state={order.state} />
    </span>
  );
}

function OrderParts({ order }: { order: OrderDetail }) {
  return (
    <>
      <OrderTasks order={order} />
      <WhyNothing order={order} />
      <OrderFacts order={order} />
      <OrderLines order={order} />
      <OrderTimeline order={order} />
      <OrderPostings order={order} />
      <OrderRules order={order} />
      <OrderEvents order={order} />
    </>
  );
}
