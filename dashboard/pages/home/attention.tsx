import { Alert } from "@mantine/core";
import type { HomeHealth } from "../../../src/admin/home/schema.ts";
import { COUNTED_MAX } from "../../../src/wire/limits.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import type { Format } from "../../ui/values/format.ts";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

const TROUBLES = [
  { field: "deliveries_failed", word: "deliveriesFailed", tone: "bad", to: "/webhooks?state=failed" },
  { field: "receivers_dead", word: "receiversDead", tone: "bad", to: "/webhooks" },
  { field: "jobs_troubled", word: "jobsTroubled", tone: "bad", to: "/jobs" },
  { field: "receipts_failed", word: "receiptsFailed", tone: "bad", to: "/intake?state=failed" },
  { field: "orders_no_program", word: "ordersNoProgram", tone: "bad", to: "/orders?state=no_program" },
  { field: "orders_other_currency", word: "ordersOtherCurrency", tone: "warn", to: "/orders?state=other_currency" },
  { field: "orders_no_customer", word: "ordersNoCustomer", tone: "warn", to: "/orders?state=waiting" },
  { field: "orders_to_judge", word: "ordersToRecalculate", tone: "warn", to: "/program/versions" },
  { field: "approvals_waiting", word: "approvalsWaiting", tone: "warn", to: "/approvals" },
  { field: "deliveries_retried", word: "deliveriesRetried", tone: "warn", to: "/webhooks?state=waiting" },
  { field: "receipts_waiting", word: "receiptsWaiting", tone: "warn", to: "/intake?state=waiting" },
] as const;

const BACKUP_WORDS = {
  well: "backup",
  failed: "backupFailed",
  overdue: "backupOverdue",
  log_behind: "backupLogBehind",
} as const;

/** Conditions that need a person, each with a link to its list; if there are none, that is shown, or nothing. */
export function Attention({ health, saysWell }: { health: HomeHealth; saysWell: boolean }) {
  const t = useWords(words);
  const format = useFormat();
  const found = TROUBLES.filter(({ field }) => health[field] > 0);
  const count = (n: number) => (n > COUNTED_MAX ? t.more(format.number(COUNTED_MAX)) : format.number(n));
  const isReplicaUnused = health.replica === "unused";
  const { backup } = health;
  const isBackupTroubled = backup !== null && backup.state !== "well";
  const hasBreaches = health.ledger_breaches > 0;
  const disk = health.disk ?? null; // a node of an older version does not send it
  if (found.length === 0 && !isReplicaUnused && !isBackupTroubled && !hasBreaches && disk === null)
    return saysWell ? <p className={classes["quiet"]}>{t.well}</p> : null;
  return (
    <Section title={t.attention}>
      {hasBreaches && (
        <Alert color="red" role="alert" title={t.ledgerBroken} mb="md">
          {t.ledgerBrokenHint(format.number(health.ledger_breaches))}
        </Alert>
      )}
      <ul className={classes["troubles"]}>
        {found.map(({ field, word, tone, to }) => (
          <li key={field}>
            <StateBadge tone={tone}>{count(health[field])}</StateBadge>
            <PageLink to={to}>{t[word]}</PageLink>
          </li>
        ))}
        {isBackupTroubled && (
          <li>
            <StateBadge tone="bad">{t.backup}</StateBadge>
            <PageLink to="/jobs">{t[BACKUP_WORDS[backup.state]]}</PageLink>
            {backup.last_at === null ? t.backupNever : t.backupLast(format.minute(backup.last_at))}
          </li>
        )}
        {disk !== null && <DiskTrouble disk={disk} />}
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

const MEBIBYTE = 2 ** 20;
const GIBIBYTE = 2 ** 30;

/** Rounded down: no more room than there is. */
function sizeText(bytes: number, format: Format): string {
  if (bytes < GIBIBYTE) return `${format.number(Math.floor(bytes / MEBIBYTE))} MiB`;
  return `${format.number(Math.floor((bytes * 10) / GIBIBYTE) / 10)} GiB`;
}

/** That the disk of the embedded database has little room. */
function DiskTrouble({ disk }: { disk: NonNullable<HomeHealth["disk"]> }) {
  const t = useWords(words);
  const format = useFormat();
  const free = sizeText(disk.free_bytes, format);
  const say = {
    low: () => t.diskLow(free),
    full: () => t.diskFull(free),
    few_files: () => t.diskFewFiles(format.number(disk.free_files ?? 0)),
  };
  return (
    <li>
      <StateBadge tone={disk.state === "low" ? "warn" : "bad"}>{t.disk}</StateBadge>
      {say[disk.state]()} {t.diskHint}
    </li>
  );
}
