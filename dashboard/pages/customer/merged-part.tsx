import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { customerPath } from "./use-customer.ts";
import { words } from "./words.ts";

/** The customers who were merged into this one, each with their unchanged ledger. */
export function MergedPart({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const [{ balance }] = useUrlState({ balance: "" });
  if (customer.merged.length === 0) return null;
  const own = `${customerPath(customer.id)}/ledger`;
  return (
    <Section title={t.merged}>
      {customer.merged.map(({ id, uid, merged_at }) => (
        <div key={uid} className={classes["line"]}>
          <CopyId value={id} />
          <span className={classes["quiet"]}>
            {t.mergedAt} <DateText at={merged_at} />
          </span>
          <PageLink to={balance === uid ? own : `${own}?balance=${uid}`} keepScroll>
            {balance === uid ? t.ownLedger : t.showLedger}
          </PageLink>
        </div>
      ))}
    </Section>
  );
}
