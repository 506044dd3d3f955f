import type { HomeHealth } from "../../../src/admin/home/schema.ts";
import { COUNTED_MAX } from "../../../src/wire/limits.ts";
import { PageLink } from "../../ui/page-link.tsx";
import { Section } from "../../ui/section.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

const TROUBLES = [
  { member: "deliveries_failed", word: "deliveriesFailed", tone: "bad", to: "/webhooks?state=failed" },
  { member: "receivers_dead", word: "receiversDead", tone: "bad", to: "/webhooks" },
  { member: "jobs_troubled", word: "jobsTroubled", tone: "bad", to: "/jobs" },
  { member: "receipts_failed", word: "receiptsFailed", tone: "bad", to: "/intake?state=failed" },
  { member: "orders_no_program", word: "ordersNoProgram", tone: "bad", to: "/orders?state=no_program" },
  { member: "orders_other_currency", word: "ordersOtherCurrency", tone: "warn", to: "/orders?state=other_currency" },
  { member: "orders_no_customer", word: "ordersNoCustomer", tone: "warn", to: "/orders?state=waiting" },
  { member: "orders_to_judge", word: "ordersToJudge", tone: "warn", to: "/program/versions" },
  { member: "approvals_waiting", word: "approvalsWaiting", tone: "warn", to: "/approvals" },
  { member: "deliveries_retried", word: "deliveriesRetried", tone: "warn", to: "/webhooks?state=waiting" },
  { member: "receipts_waiting", word: "receiptsWaiting", tone: "warn", to: "/intake?state=waiting" },
] as const;

/** What needs somebody, each with the list of it; where nothing does, that is said, or nothing is. */
export function Attention({ health, saysWell }: { health: HomeHealth; saysWell: boolean }) {
  const t = useWords(words);
  const format = useFormat();
  const found = TROUBLES.filter(({ member }) => health[member] > 0);
  const count = (n: number) => (n > COUNTED_MAX ? t.more(format.number(COUNTED_MAX)) : format.number(n));
  const isReplicaUnused = health.replica === "unused";
  if (found.length === 0 && !isReplicaUnused) return saysWell ? <p className={classes["quiet"]}>{t.well}</p> : null;
  return (
    <Section title={t.attention}>
      <ul className={classes["troubles"]}>
        {found.map(({ member, word, tone, to }) => (
          <li key={member}>
            <StateBadge tone={tone}>{count(health[member])}</StateBadge>
            <PageLink to={to}>{t[word]}</PageLink>
          </li>
        ))}
        {isReplicaUnused && (
          <li>
            <StateBadge tone="warn">{t.replica}</StateBadge>
            {t.replicaUnused}
          </li>
        )}
      </ul>
    </Section>
  );
}
