import { selectJobs } from "../../admin/jobs/queries.ts";
import { selectHealth } from "../../alerts/health-queries.ts";
import type { LogLag } from "../../backup/archived-mark.ts";
import { readBackupState } from "../../backup/read-backup-state.ts";
import { readMissingBackup } from "../../backup/read-missing-backup.ts";
import { readSilentPlace } from "../../backup/read-silent-place.ts";
import { readSelfCheck } from "../../checkpoints/self-check-queries.ts";
import { readSecretKeys } from "../../credentials/secret-key-file.ts";
import { READ_ONLY_STATE, sqlState } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { ConfigError } from "../../environment.ts";
import { readBacklog } from "../../intake/read-backlog.ts";
import { mailFailureOf } from "../../mail/mail.ts";
import { countWaitingMails } from "../../mail/mail-queries.ts";
import { openMailTransport } from "../../mail/open-mail-transport.ts";
import { STAND_IN_VERSION } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { isOidcOn } from "../../staff/provider/identity-queries.ts";
import { openProvider } from "../../staff/provider/open-provider.ts";
import { DEAD_AFTER_FAILURES } from "../../webhooks/delivery/retry-schedule.ts";
import { lengthText } from "../output.ts";
import { listLost } from "../secrets.ts";
import type { Check, Finding } from "./check.ts";
import { checkShopify } from "./shopify-check.ts";

/** A worker begins some job at least this often. */
const WORKER_SILENT_S = 20 * 60;
const DELIVERY_LATE_S = 10 * 60;
const RECEIPT_LATE_S = 5 * 60;
const LEDGER_AHEAD_S = 60;
const COUNTED_TO = 10_000;
const NAMED_MAX = 5;
const BYTES_A_MB = 1_000_000;

/** Checks for a store with this version's schema. */
export const STORE_CHECKS: readonly Check<Deps>[] = [
  { name: "stored secrets", run: checkSealed },
  { name: "program", run: checkProgram },
  { name: "worker", run: checkWorker },
  { name: "jobs", run: checkJobs },
  { name: "deliveries", run: checkDeliveries },
  { name: "receivers", run: checkReceivers },
  { name: "received events", run: checkReceipts },
  { name: "mail server", run: checkMailServer },
  { name: "identity provider", run: checkProvider },
  { name: "Shopify", run: checkShopify },
  { name: "backup", run: checkBackup },
  { name: "ledger", run: checkLedgerSelf },
  { name: "ledger time", run: checkLedgerTime },
];

async function checkSealed(deps: Deps): Promise<Finding | null> {
  const keys = await readSecretKeys(deps.config).catch(() => null);
  if (keys === null) return null; // a check of the machine reports that it is missing or damaged
  const lost = await listLost(deps).catch((error: unknown) => {
    if (sqlState(error) === READ_ONLY_STATE) return null; // it takes locks; another check reports the database
    throw error;
  });
  if (lost === null) return null;
  if (lost.length === 0) return { state: "ok", says: "the secret key decrypts every one" };
  const todo = 'Give back the key that was used, or see "pointkeeper secrets reset".';
  return { state: "fail", says: `the secret key does not decrypt ${lost.length} of them`, todo };
}

async function checkProgram({ db }: Deps): Promise<Finding> {
  const { version, store } = await readProgram(db);
  if (version !== STAND_IN_VERSION) return { state: "ok", says: `version ${version}, time zone ${store.timeZone}` };
  return {
    state: "warn",
    says: "none was applied: the built-in one is only a stand-in",
    todo: "Set currency, time zone and rates in the dashboard or with pointkeeper program apply.",
  };
}

const AHEAD = `select extract(epoch from floor_at - $1::timestamptz)::double precision as "aheadS"
from ledger_mark
where floor_at > $1`;

/** Allotments never go back in time: after a clock that was ahead, all new ones are dated as its last one until that time comes. */
async function checkLedgerTime({ db, clock }: Deps): Promise<Finding | null> {
  const [row] = await db.query<{ aheadS: number }>(AHEAD, [clock.now()]);
  if (row === undefined || row.aheadS < LEDGER_AHEAD_S) return null;
  const says = `a clock was ahead: for another ${lengthText(row.aheadS)} every allotment is dated as the last one of it`;
  const todo = "Let NTP set the clock of every machine, and wait: docs/troubleshooting.md, At 3 in the morning.";
  return { state: "warn", says, todo };
}

// not of a clock that was ahead and has been corrected since
const LAST_RUN = `select extract(epoch from clock_timestamp() - max(r.started_at))::double precision as "agoS"
from job_run r
where r.started_at <= clock_timestamp() + interval '1 hour'`;

async function checkWorker({ db }: Deps): Promise<Finding> {
  const [row] = await db.query<{ agoS: number | null }>(LAST_RUN);
  const agoS = row?.agoS ?? null;
  const says = agoS === null ? "no job was ever run" : `the last job began ${lengthText(agoS)} ago`;
  if (agoS !== null && agoS < WORKER_SILENT_S) return { state: "ok", says };
  const todo = "Start the service, or a node with --role worker: nothing expires and nothing is delivered without one.";
  return { state: "fail", says, todo };
}

async function checkJobs(deps: Deps): Promise<Finding> {
  const jobs = await selectJobs(deps.db, deps.clock.now(), null);
  const failing = jobs.filter(({ failuresInRow }) => (failuresInRow ?? 0) > 0).map(({ name }) => name);
  const late = jobs.filter(({ isLate }) => isLate).map(({ name }) => name);
  const todo = "See pointkeeper jobs, and the log of the worker.";
  if (failing.length > 0) return { state: "fail", says: `the last run of ${failing.join(", ")} failed`, todo };
  if (late.length > 0) return { state: "warn", says: `late: ${late.join(", ")}`, todo };
  return { state: "ok", says: `${jobs.length} jobs, none late and none failing` };
}

const OLDEST_DUE = `select extract(epoch from clock_timestamp() - least(
  (select min(d.due_at)
  from subscription s
  cross join lateral (
    select d.due_at
    from delivery d
    where d.subscription_uid = s.uid
      and d.state = 'waiting'
    order by d.due_at
    limit 1) d),
  (select min(b.due_at)
  from subscription s
  cross join lateral (
    select b.due_at
    from receiver_cursor c
    join topic_batch b on b.topic = s.topic
      and b.position > c.position
    where c.subscription_uid = s.uid
    order by b.position
    limit 1) b)))::double precision as "lateS"`;

async function checkDeliveries(deps: Deps): Promise<Finding> {
  const [row] = await deps.db.query<{ lateS: number | null }>(OLDEST_DUE);
  const { deliveriesFailed: failed } = await selectHealth(deps.db, deps.clock.now(), false);
  const lateS = row?.lateS ?? null;
  if (failed > 0n)
    return {
      state: "warn",
      says: `${failed} failed after all retries`,
      todo: "See pointkeeper webhooks failed; pointkeeper webhooks replay all sends them again.",
    };
  if (lateS === null || lateS < DELIVERY_LATE_S) return { state: "ok", says: "none failed, none is late" };
  const todo = "Is a worker running, and does the receiver answer? See pointkeeper tail deliveries.";
  return { state: "warn", says: `the oldest was due ${lengthText(lateS)} ago`, todo };
}

async function checkReceivers(deps: Deps): Promise<Finding> {
  const { receiversDead: dead } = await selectHealth(deps.db, deps.clock.now(), false);
  if (dead.length === 0) return { state: "ok", says: "none has stopped answering" };
  const topics = [...new Set(dead.map(({ topic }) => topic))].slice(0, NAMED_MAX).join(", ");
  const todo =
    "Tell their owners: pointkeeper webhooks receivers says which are dead, the dashboard's page of webhooks what each answers.";
  const says = `${dead.length} failed ${DEAD_AFTER_FAILURES} times in a row or more: their deliveries wait and are retried (${topics})`;
  return { state: "fail", says, todo };
}

async function checkReceipts({ db }: Deps): Promise<Finding> {
  const { counts, oldestS } = await readBacklog(db, COUNTED_TO);
  const stuck = counts.failed + counts.quarantined;
  if (stuck > 0n)
    return {
      state: "warn",
      says: `${stuck} could not be processed`,
      todo: "See pointkeeper intake stuck; pointkeeper intake reprocess tries one again.",
    };
  if (oldestS === null || oldestS < RECEIPT_LATE_S)
    return { state: "ok", says: `${counts.new} new, ${counts.waiting} waiting` };
  const todo = "Is a worker running? See pointkeeper intake.";
  return { state: "warn", says: `${counts.new} wait, the oldest for ${lengthText(oldestS)}`, todo };
}

/** Connects, checks the certificate and signs in; sends nothing. */
async function checkMailServer(deps: Deps): Promise<Finding | null> {
  const { mail } = deps.config;
  if (mail === null) return null;
  try {
    await tryMailServer(deps);
    const waiting = await countWaitingMails(deps.db, COUNTED_TO);
    return { state: "ok", says: `${mail.host}:${mail.port} takes mails; ${waiting} wait` };
  } catch (error) {
    const where = 'docs/operations.md, "Mail". Mails wait meanwhile, for two days.';
    if (error instanceof ConfigError) return { state: "fail", says: error.message, todo: `Correct it: ${where}` };
    const says = `${mail.host}:${mail.port} cannot be used: ${mailFailureOf(error).text}`;
    return { state: "fail", says, todo: `Correct POINTKEEPER_SMTP_URL: ${where}` };
  }
}

async function tryMailServer(deps: Deps): Promise<void> {
  const transport = await openMailTransport(deps);
  try {
    await transport.check();
  } finally {
    transport.close();
  }
}

async function checkProvider(deps: Deps): Promise<Finding | null> {
  const { oidc } = deps.config;
  if (oidc === null) return null;
  if (!(await isOidcOn(deps)))
    return { state: "warn", says: "sign-in through it is off", todo: "pointkeeper oidc on turns it on again." };
  try {
    await openProvider(deps); // the log has why it does not respond
    return { state: "ok", says: `${oidc.issuer} responds` };
  } catch {
    const todo = "Correct POINTKEEPER_OIDC_ISSUER or the way to it: nobody signs in through it meanwhile.";
    return { state: "fail", says: `${oidc.issuer} does not respond, or is not this issuer`, todo };
  }
}

async function checkBackup({ db, config, clock }: Deps): Promise<Finding> {
  const state = await readBackupState(db, config, clock.now());
  const { isPlanned, lastDoneAgeSeconds: age, lastError, isOverdue, isLogBehind, logLag } = state;
  const last = age === null ? "there is none" : `the newest is ${lengthText(age)} old`;
  const lag = logLag === null ? "" : `; ${lagText(logLag)}`;
  if (lastError !== null)
    return {
      state: "fail",
      says: `the last one failed: ${lastError}; ${last}`,
      todo: "Correct the cause: the worker tries again every few minutes (docs/backup.md).",
    };
  if (isOverdue)
    return {
      state: "fail",
      says: `overdue: ${last}`,
      todo: "See pointkeeper jobs: a worker must run, and the place have room.",
    };
  if (isLogBehind)
    return {
      state: "fail",
      says: `the log of the database is not archived${lag}`,
      todo: "See the log of the worker: it waits on the store's disk until it can be archived (docs/backup.md).",
    };
  const gone = await readGone({ db, config });
  if (gone !== null)
    return {
      state: "warn",
      says: `${last}, and it is not at ${gone} any more`,
      todo: "Mount its disk if it is not mounted. If it was removed, make another: Run now on the dashboard's Jobs page.",
    };
  if (isPlanned || age !== null) return { state: "ok", says: `${last}${lag}` };
  return {
    state: "warn",
    says: "none is made by this service",
    todo: "Set POINTKEEPER_BACKUP_DIR, or back the database up by other means: docs/backup.md.",
  };
}

/** Another check reports a folder that does not answer or cannot be read. */
async function readGone({ db, config: { backup } }: Pick<Deps, "db" | "config">): Promise<string | null> {
  if (backup.dir === undefined || (await readSilentPlace(backup.dir)) !== null) return null;
  return readMissingBackup(db, backup.dir).catch(() => null);
}

function lagText({ seconds, bytes }: LogLag): string {
  const size = `${(bytes / BYTES_A_MB).toFixed(1)} MB`;
  return `the log is archived up to ${lengthText(seconds)} ago, and ${size} that were written are not`;
}

async function checkLedgerSelf({ db }: Deps): Promise<Finding> {
  const { breaches, checkedAt } = await readSelfCheck(db);
  const [first] = breaches;
  if (first !== undefined)
    return { state: "fail", says: `${breaches.length} breaches: ${first}`, todo: "Run pointkeeper verify." };
  return { state: "ok", says: checkedAt === null ? "not checked yet" : "the self-check found no breach" };
}
