import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CustomerHead, Explanation } from "../../../src/admin/customers/schema.ts";
import { apiGet } from "../../api/client.ts";
import { writeSearch } from "../../ui/address.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { Points } from "../../ui/points.tsx";
import { Section } from "../../ui/section.tsx";
import { SidePanel } from "../../ui/side-panel.tsx";
import { useUrlState } from "../../ui/use-url-state.ts";
import { useLanguage } from "../../words/language.tsx";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { ledgerWords } from "./ledger-words.ts";
import { customerKey, customerPath } from "./use-customer.ts";

/** Why the customer has the points that are shown. */
export function BalanceWhyPanel({ customer }: { customer: CustomerHead }) {
  const t = useWords(ledgerWords);
  return <WhyPanel customer={customer} path="explanation" title={t.whyBalance} closeTo={customerPath(customer.id)} />;
}

/** Why one allotment is what it is, over the timeline as it is filtered. */
export function AllotmentWhyPanel({ customer, uid }: { customer: CustomerHead; uid: string }) {
  const t = useWords(ledgerWords);
  const [asked] = useUrlState({ type: "", balance: "", after: "" });
  const closeTo = `${customerPath(customer.id)}/ledger${writeSearch(asked)}`;
  const path = `ledger/${encodeURIComponent(uid)}/explanation`;
  return <WhyPanel customer={customer} path={path} title={t.why} closeTo={closeTo} />;
}

interface WhyPanelProps {
  customer: CustomerHead;
  path: string;
  title: string;
  closeTo: string;
}

function WhyPanel({ customer, path, title, closeTo }: WhyPanelProps) {
  const { language } = useLanguage();
  const why = useQuery({
    queryKey: [...customerKey(customer.id), path, language],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: Explanation }>(`${customerPath(customer.id)}/${path}`, { language }, signal)).data,
  });
  return (
    <SidePanel title={title} closeTo={closeTo}>
      {why.data === undefined && why.error === null ? <Skeleton height={240} /> : null}
      {why.error === null ? null : <ErrorState error={why.error} onRetry={() => void why.refetch()} />}
      {why.data === undefined ? null : <Explained explanation={why.data} isBalance={path === "explanation"} />}
    </SidePanel>
  );
}

function Explained({ explanation, isBalance }: { explanation: Explanation; isBalance: boolean }) {
  const t = useWords(ledgerWords);
  const { words, point_value, order_id, by_type } = explanation;
  return (
    <>
      <div className={classes["figure"]}>
        <Points value={point_value} signed={!isBalance} />
      </div>
      {order_id === null ? null : (
        <PageLink to={`/orders/${encodeURIComponent(order_id)}`}>{t.order(order_id)}</PageLink>
      )}
      {by_type.length === 0 ? null : <ByType rows={by_type} />}
      <Section title={t.inWords}>
        <ol className={classes["words"]}>
          {words.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
      </Section>
    </>
  );
}

function ByType({ rows }: { rows: Explanation["by_type"] }) {
  const t = useWords(ledgerWords);
  return (
    <Section title={t.byType}>
      <DataTable
        caption={t.byType}
        rows={rows}
        rowKey={(row) => row.type}
        empty={t.none}
        columns={[
          { key: "type", header: t.type, render: (row) => nameOf(t.types, row.type) },
          { key: "count", header: t.count, align: "right", render: (row) => <Points value={row.count} /> },
          { key: "given", header: t.given, align: "right", render: (row) => <Points value={row.given} signed /> },
          { key: "taken", header: t.taken, align: "right", render: (row) => <Points value={row.taken} signed /> },
        ]}
      />
    </Section>
  );
}
