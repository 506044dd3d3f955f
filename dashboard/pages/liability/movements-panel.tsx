import { Button } from "@mantine/core";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { AllotmentSource } from "../../ui/values/allotment-source.tsx";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { Money } from "../../ui/values/money.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { allotmentWords } from "../../words/allotment-words.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { type MovementQuery, type MovementRow, minorOf, useMovements } from "./use-liability.ts";
import { nameWords, words } from "./words.ts";

/** The allotments behind one figure. */
export function MovementsPanel({ query }: { query: MovementQuery }) {
  const t = useWords(words);
  const { kinds, origins } = useWords(nameWords);
  const list = useMovements(query);
  const rows = list.data?.pages.flatMap(({ data }) => data);
  const format = useFormat();
  const parts = [nameOf(kinds, query.kind), format.month(query.month)];
  if (query.cohort !== "") parts.push(t.issuedIn(format.month(query.cohort)));
  if (query.origin !== "") parts.push(nameOf(origins, query.origin));
  if (query.cause !== "") parts.push(t.causedIn(format.month(query.cause)));
  return (
    <SidePanel title={parts.join(" · ")} closeTo={`/liability?month=${query.month}`} isWide>
      <DataTable
        caption={t.points}
        columns={useColumns(query.kind)}
        rows={rows}
        rowKey={({ uid }) => uid}
        rowLink={({ uid }) => `/ledger/${uid}`}
        error={list.error}
        onRetry={list.refetch}
        empty={list.hasNextPage ? <EmptyState title={t.noRows} hint={t.noRowsHint} /> : t.noRowsAtAll}
      />
      {list.hasNextPage ? (
        <Button variant="default" mt={12} loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t.more}
        </Button>
      ) : null}
    </SidePanel>
  );
}

function sourceOf({ order_id, order_name, object, app_reference }: MovementRow) {
  return <AllotmentSource orderId={order_id} orderName={order_name} object={object} app={app_reference} />;
}

function useColumns(kind: string): Column<MovementRow>[] {
  const t = useWords(words);
  const { types } = useWords(allotmentWords);
  const format = useFormat();
  const sales: Column<MovementRow> = {
    ...{ key: "sales", onPhone: "named", header: t.paid, align: "right" },
    render: ({ sales: paid }) => (paid === null ? "—" : <Money minor={minorOf(paid)} />),
  };
  return [
    { key: "time", onPhone: "second", header: t.time, render: ({ allotted_at }) => <Time at={allotted_at} /> },
    { key: "type", onPhone: "second", header: t.type, render: ({ type }) => nameOf(types, type) },
    { key: "source", onPhone: "second", header: t.source, render: sourceOf },
    {
      key: "customer",
      onPhone: "first",
      header: t.customer,
      isName: true,
      render: ({ customer }) => (customer === null ? "—" : <CustomerLink customer={customer} />),
    },
    {
      key: "points",
      onPhone: "first",
      header: t.points,
      align: "right",
      render: ({ points }) => format.points(points),
    },
    ...(kind === "issued" ? [sales] : []),
  ];
}
