import type { Queryable, Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { ProviderPerson } from "./oidc-claims.ts";

export interface IdentityRow {
  readonly staffUid: string;
  readonly issuer: string;
  readonly roleLostAt: Temporal.Instant | null;
}

const COLUMNS = `staff_uid as "staffUid", issuer, role_lost_at as "roleLostAt"`;

/** The account that is linked to a subject. */
export async function selectIdentity(
  queryable: Queryable,
  { issuer, subject }: Pick<ProviderPerson, "issuer" | "subject">,
): Promise<IdentityRow | undefined> {
  const text = `select ${COLUMNS} from staff_identity where issuer = $1 and subject = $2`;
  return (await queryable.query<IdentityRow>(text, [issuer, subject]))[0];
}

export async function selectIdentityOf(queryable: Queryable, staffUid: string): Promise<IdentityRow | undefined> {
  const text = `select ${COLUMNS} from staff_identity where staff_uid = $1`;
  return (await queryable.query<IdentityRow>(text, [staffUid]))[0];
}

const INSERT = `insert into staff_identity (issuer, subject, staff_uid, created_at, seen_at)
values ($1, $2, $3, $4, $4)
on conflict do nothing`;

/** Returns false where the subject is linked already, or the person has a link. */
export async function insertIdentity(
  tx: Tx,
  {
    issuer,
    subject,
    staffUid,
    now,
  }: Pick<ProviderPerson, "issuer" | "subject"> & { staffUid: string; now: Temporal.Instant },
): Promise<boolean> {
  return (await tx.execute(INSERT, [issuer, subject, staffUid, now])) === 1;
}

/** Records that a person signed in through the provider, or that it gives them no role (any more). */
export async function recordIdentitySignIn(
  tx: Tx,
  { staffUid, now, hasRole }: { readonly staffUid: string; readonly now: Temporal.Instant; readonly hasRole: boolean },
): Promise<void> {
  const text = `update staff_identity
    set seen_at = $2, role_lost_at = case when $3 then null else coalesce(role_lost_at, $2) end
    where staff_uid = $1`;
  await tx.execute(text, [staffUid, now, hasRole]);
}

export async function deleteIdentity(tx: Tx, staffUid: string): Promise<boolean> {
  return (await tx.execute("delete from staff_identity where staff_uid = $1", [staffUid])) === 1;
}

/** Whether people sign in through the provider: it is configured, and no operator has switched it off. */
export async function isOidcOn({ db, config }: Pick<Deps, "config"> & { readonly db: Queryable }): Promise<boolean> {
  if (config.oidc === null) return false;
  const [row] = await db.query("select from sign_in_setting where oidc_off_at is not null");
  return row === undefined;
}

const SPEND = `insert into spent_token (sha256, expires_at)
values ($1, clock_timestamp() + make_interval(secs => $2))
on conflict do nothing`;

/** Marks a challenge or state as used; false where it was used before. `keptS`: the seconds for which it could be used. */
export async function consumeToken(queryable: Queryable, sha256: Buffer, keptS: number): Promise<boolean> {
  return (await queryable.execute(SPEND, [sha256, keptS])) === 1;
}

/** Deletes those that have expired; returns how many. */
export async function deleteConsumedTokens(queryable: Queryable): Promise<number> {
  return queryable.execute("delete from spent_token where expires_at <= clock_timestamp()");
}
