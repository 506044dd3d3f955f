import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CustomerHead, Explanation } from "../../../src/admin/customers/schema.ts";
import { apiGet } from "../../api/client.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { Points } from "../../ui/values/points.tsx";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { ledgerWords } from "./ledger-words.ts";
import { customerKey, customerPath } from "./use-customer.ts";

/** The explanation of an allotment, over the filtered timeline. */
export function AllotmentWhyPanel({ customer, uid }: { customer: CustomerHead; uid: string }) {
  const t = useWords(ledgerWords);
  const [asked] = useUrlState({ type: "", balance: "", after: "" });
  const closeTo = `${customerPath(customer.id)}/ledger${writeSearch(asked)}`;
  const path = `ledger/${encodeURIComponent(uid)}/explanation`;
  const { language } = useLanguage();
  const why = useQuery({
    queryKey: [...customerKey(customer.id), path, language],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: Explanation }>(`${customerPath(customer.id)}/${path}`, { language }, signal)).data,
  });
  return (
    <SidePanel title={t.why} closeTo={closeTo}>
      {why.data === undefined && why.error === null ? <Skeleton height={240} /> : null}
      {why.error === null ? null : <ErrorState error={why.error} onRetry={() => void why.refetch()} />}
      {why.data === undefined ? null : <Explained explanation={why.data} />}
    </SidePanel>
  );
}

function Explained({ explanation }: { explanation: Explanation }) {
  const t = useWords(ledgerWords);
  const { words, point_value, order_id, order_name } = explanation;
  return (
    <>
      <div className={classes["figure"]}>
        <Points value={point_value} signed />
      </div>
      {order_id === null ? null : (
        <PageLink to={`/orders/${encodeURIComponent(order_id)}`}>{t.order(order_name ?? order_id)}</PageLink>
      )}
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
