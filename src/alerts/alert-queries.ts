import type { Queryable, Tx } from "../db/pool.ts";
import type { AlertKind } from "../wire/alerts.ts";
import {
  type Alert,
  type AlertSettings,
  type AlertStanding,
  kindsOfStored,
  LATER_KINDS,
  LATER_STORED_AS,
  storedIdentity,
  storedKinds,
} from "./alert.ts";
import type { AlertFinding } from "./finding.ts";

const SETTINGS = `select is_on as "isOn", kinds, addresses, webhook_sealed as "webhookSealed", language,
  grant_percent as "grantPercent"
from alert_setting`;

/** Reads the settings; with `locks`, no other transaction can change them until this one ends. */
export async function selectAlertSettings(queryable: Queryable, locks: "share" | "update" | null = null) {
  const [row] = await queryable.query<Omit<AlertSettings, "kinds"> & { readonly kinds: readonly string[] }>(
    locks === null ? SETTINGS : `${SETTINGS} for ${locks}`,
  );
  if (row === undefined) throw new Error("the row of the alerts' settings is gone");
  return { ...row, kinds: kindsOfStored(row.kinds) };
}

const WRITE_SETTINGS = `update alert_setting
set is_on = $1,
  kinds = $2,
  addresses = $3,
  webhook_sealed = $4,
  language = $5,
  grant_percent = $6`;

export async function writeAlertSettings(tx: Tx, settings: AlertSettings): Promise<void> {
  const { isOn, kinds, addresses, webhookSealed, language, grantPercent } = settings;
  await tx.execute(WRITE_SETTINGS, [isOn, storedKinds(kinds), addresses, webhookSealed, language, grantPercent]);
}

export async function selectAlertStanding(queryable: Queryable): Promise<AlertStanding> {
  const [row] = await queryable.query<AlertStanding>(
    'select mailed_at as "mailedAt", webhook_error as "webhookError", webhook_at as "webhookAt" from alert_standing',
  );
  return row ?? { mailedAt: null, webhookError: null, webhookAt: null };
}

const BEGIN = `insert into alert (uid, kind, subject, about, began_at)
select f.uid, f.kind, f.subject, f.about::jsonb, clock_timestamp()
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as f (uid, kind, subject, about)
on conflict (kind, subject) where ended_at is null do nothing`;

const END_MISSING = `update alert a
set ended_at = clock_timestamp()
where a.ended_at is null
  and not exists (
    select
    from unnest($1::text[], $2::text[]) as f (kind, subject)
    where f.kind = a.kind
      and f.subject = a.subject)`;

/** Opens an alert for each finding that has none, and ends those that are no longer found. Returns how many changed. */
export async function updateAlerts(tx: Tx, found: readonly AlertFinding[], uidOf: () => string): Promise<number> {
  const stored = found.map(storedIdentity);
  const kinds = stored.map(({ kind }) => kind);
  const subjects = stored.map(({ subject }) => subject);
  const abouts = found.map(({ about }) => JSON.stringify(about));
  const ended = await tx.execute(END_MISSING, [kinds, subjects]);
  return ended + (await tx.execute(BEGIN, [found.map(() => uidOf()), kinds, subjects, abouts]));
}

/** The kind of a row: a later one is before its subject. */
const KIND = `case when split_part(subject, '/', 1) = any ('{${LATER_KINDS.join(",")}}') and kind = '${LATER_STORED_AS}'
  then split_part(subject, '/', 1) else kind end`;

const DROP = `update alert
set ended_at = clock_timestamp(),
  mailed = 2,
  posted = 2
where ended_at is null
  and not (${KIND} = any ($1))`;

/** Ends open alerts of kinds that no longer notify anybody, without a message. */
export async function dropAlerts(tx: Tx, keptKinds: readonly string[]): Promise<void> {
  await tx.execute(DROP, [keptKinds]);
}

/** The channels of alerts; each records separately what it has sent. */
export type AlertChannel = "mailed" | "posted";

const COLUMNS = `uid, ${KIND} as kind, subject, about, began_at as "beganAt", ended_at as "endedAt", mailed, posted`;

/** Returns alerts about which a channel still has to send a message, oldest first. */
export function selectUnsent(queryable: Queryable, channel: AlertChannel, limit: number): Promise<Alert[]> {
  return queryable.query<Alert>(
    `select ${COLUMNS}
from alert
where (mailed < 2 or posted < 2)
  and ${channel} < case when ended_at is null then 1 else 2 end
order by began_at, uid
limit $1`,
    [limit],
  );
}

/** Records what a channel has sent about alerts. */
export async function recordSent(queryable: Queryable, channel: AlertChannel, alerts: readonly Alert[]): Promise<void> {
  await queryable.execute(
    `update alert a
set ${channel} = s.sent
from unnest($1::uuid[], $2::smallint[]) as s (uid, sent)
where a.uid = s.uid`,
    [alerts.map(({ uid }) => uid), alerts.map(({ endedAt }) => (endedAt === null ? 1 : 2))],
  );
}

/** Marks ended alerts as sent on a channel that is not set, so that it never sends about them. */
export async function skipEnded(queryable: Queryable, channel: AlertChannel): Promise<void> {
  await queryable.execute(`update alert
set ${channel} = 2
where (mailed < 2 or posted < 2)
  and ${channel} < 2
  and ended_at is not null`);
}

// A later time is of a clock that was ahead and has been corrected since.
const TAKE_MAIL_TURN = `update alert_standing
set mailed_at = clock_timestamp()
where mailed_at is null
  or mailed_at <= clock_timestamp() - make_interval(secs => $1)
  or mailed_at > clock_timestamp()`;

/** Takes the right to send one summary by mail; false: the last one was sent less than `pauseS` seconds ago. */
export async function claimMailTurn(tx: Tx, pauseS: number): Promise<boolean> {
  return (await tx.execute(TAKE_MAIL_TURN, [pauseS])) === 1;
}

/** Records the result of a message to the webhook. */
export async function recordWebhookResult(queryable: Queryable, error: string | null): Promise<void> {
  await queryable.execute("update alert_standing set webhook_error = $1, webhook_at = clock_timestamp()", [error]);
}

/** Clears the result of the last message, because it was sent to an earlier address. */
export async function forgetWebhookResult(tx: Tx): Promise<void> {
  await tx.execute("update alert_standing set webhook_error = null, webhook_at = null");
}

const OPEN_SUBJECTS = `select subject
from alert
where ended_at is null
  and kind = $1
  and starts_with(subject, $2)`;

/** Returns the subjects of the open alerts of a kind. */
export async function selectOpenSubjects(queryable: Queryable, kind: AlertKind): Promise<string[]> {
  const { kind: storedKind, subject: prefix } = storedIdentity({ kind, subject: "" });
  const rows = await queryable.query<{ subject: string }>(OPEN_SUBJECTS, [storedKind, prefix]);
  return rows.map(({ subject }) => subject.slice(prefix.length));
}

/** Returns the newest alerts. */
export function selectAlerts(queryable: Queryable, limit: number): Promise<Alert[]> {
  return queryable.query<Alert>(`select ${COLUMNS} from alert order by began_at desc, uid desc limit $1`, [limit]);
}

const PRUNE = `delete from alert
where uid in (
  select uid
  from alert
  where ended_at < clock_timestamp() - make_interval(days => $1)
  limit 1000)`;

/** Removes up to 1,000 alerts that ended at least `days` days ago. */
export async function deleteOldAlerts(queryable: Queryable, days: number): Promise<void> {
  await queryable.execute(PRUNE, [days]);
}
