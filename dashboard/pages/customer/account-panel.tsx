import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ShownAccount } from "../../../src/admin/customers/account-schema.ts";
import type { CustomerHead, CustomerOrderRow } from "../../../src/admin/customers/schema.ts";
import { apiGet } from "../../api/client.ts";
import { Collapsible } from "../../ui/layout/collapsible.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useCopy } from "../../ui/values/use-copy.ts";
import { useLanguage } from "../../words/language.tsx";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { AccountLots } from "./account-lots.tsx";
import { accountWords } from "./account-words.ts";
import classes from "./customer.module.css";
import { customerKey, customerPath } from "./use-customer.ts";

/** The explanation of the customer's balance, in words that can be read to them. */
export function AccountPanel({ customer }: { customer: CustomerHead }) {
  const t = useWords(accountWords);
  const { language } = useLanguage();
  const path = customerPath(customer.id);
  const account = useQuery({
    queryKey: [...customerKey(customer.id), "account", language],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: ShownAccount }>(`${path}/explanation`, { language }, signal)).data,
  });
  return (
    <SidePanel title={t.title} closeTo={path}>
      {account.data === undefined && account.error === null ? <Skeleton height={240} /> : null}
      {account.error === null ? null : <ErrorState error={account.error} onRetry={() => void account.refetch()} />}
      {account.data === undefined ? null : <Told account={account.data} id={customer.id} />}
    </SidePanel>
  );
}

function Told({ account, id }: { account: ShownAccount; id: string }) {
  const t = useWords(accountWords);
  const { isCopied, copy } = useCopy();
  return (
    <>
      <div className={classes["figure"]}>
        <Points value={account.available} />
      </div>
      <div className={classes["told"]}>
        {account.words.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <div className={classes["line"]}>
        <Button variant="default" onClick={() => void copy(account.words.join("\n"))}>
          {isCopied ? t.copied : t.copy}
        </Button>
        <PageLink to={`${customerPath(id)}/statement`}>{t.statement}</PageLink>
      </div>
      <LatestOrders id={id} />
      <Collapsible title={t.sums}>
        <Sums rows={account.lines} />
      </Collapsible>
      <AccountLots account={account} />
    </>
  );
}

function Sums({ rows }: { rows: ShownAccount["lines"] }) {
  const t = useWords(accountWords);
  return (
    <DataTable
      caption={t.sums}
      rows={rows}
      rowKey={(row) => row.kind}
      empty={t.nothing}
      columns={[
        { key: "kind", header: t.kind, render: (row) => nameOf(t.kinds, row.kind) },
        { key: "count", header: t.count, align: "right", render: (row) => <Points value={row.count} /> },
        { key: "given", header: t.given, align: "right", render: (row) => <Points value={row.given} signed /> },
        { key: "taken", header: t.taken, align: "right", render: (row) => <Points value={row.taken} signed /> },
      ]}
    />
  );
}

const ORDERS_SHOWN = 5;

/** The points of the newest orders: most questions are about one of them. */
function LatestOrders({ id }: { id: string }) {
  const t = useWords(accountWords);
  const list = useQuery({
    queryKey: [...customerKey(id), "orders", ""],
    queryFn: ({ signal }) =>
      apiGet<{ data: CustomerOrderRow[]; next: string | null }>(`${customerPath(id)}/orders`, { after: "" }, signal),
  });
  if (list.data === undefined || list.data.data.length === 0) return null;
  return (
    <Collapsible title={t.orders}>
      <DataTable
        caption={t.orders}
        rows={list.data.data.slice(0, ORDERS_SHOWN)}
        rowKey={(row) => row.id}
        empty={t.noOrders}
        columns={[
          {
            key: "order",
            header: t.order,
            render: (row) => <PageLink to={`/orders/${encodeURIComponent(row.id)}`}>{row.name ?? row.id}</PageLink>,
          },
          { key: "time", header: t.time, render: (row) => <DateText at={row.processed_at} /> },
          { key: "points", header: t.points, align: "right", render: (row) => <Points value={row.awarded_points} /> },
        ]}
      />
    </Collapsible>
  );
}
