import type { Queryable, Tx } from "../db/pool.ts";
import { emailHash } from "./sign-in/lockout.ts";
import type { Staff } from "./staff.ts";

/** Serialises all changes that could leave the store without an owner: creating the first, changing roles, disabling. */
export const LOCK_OWNERS = "select pg_advisory_xact_lock(hashtextextended('pointkeeper staff owners', 0))";

export interface StaffRow extends Staff {
  /** Null: none was chosen yet. */
  readonly passwordHash: string | null;
  /** When a generated password expires; null: never. */
  readonly passwordUntil: Temporal.Instant | null;
  readonly passwordAt: Temporal.Instant;
  readonly totpSealed: Buffer | null;
  /** Whether the password is not enough to sign in. */
  readonly hasFactor: boolean;
  readonly totpDraftSealed: Buffer | null;
  readonly createdAt: Temporal.Instant;
  readonly disabledAt: Temporal.Instant | null;
}

/** SQL for the fields of `Staff` of a row `p` of staff. */
export const STAFF_COLUMNS = `p.uid, p.email, p.name, p.role, p.language, p.totp_sealed is not null as "hasTotp",
  (select count(*)::integer from staff_passkey k where k.staff_uid = p.uid and k.suspected_at is null) as passkeys,
  p.password_hash is not null as "hasPassword",
  exists (select from staff_identity i where i.staff_uid = p.uid) as "hasIdentity", p.has_made_password as "hasMadePassword"`;

/**
 * SQL: whether a person `p` has a second factor. A passkey that may have been copied still counts, although it opens nothing; otherwise
 * copying it would remove the factor.
 */
export const HAS_FACTOR =
  "(p.totp_sealed is not null or exists (select from staff_passkey k where k.staff_uid = p.uid))";

const COLUMNS = `${STAFF_COLUMNS}, ${HAS_FACTOR} as "hasFactor", password_hash as "passwordHash", password_at as "passwordAt", password_until as "passwordUntil", totp_sealed as "totpSealed",
  totp_draft_sealed as "totpDraftSealed", created_at as "createdAt", disabled_at as "disabledAt"`;

/** A person's second factor as stored, turned on or being set up. */
interface SealedTotp {
  readonly uid: string;
  readonly email: string;
  readonly totp: Buffer | null;
  readonly draft: Buffer | null;
}

export async function selectStaff(queryable: Queryable, uid: string): Promise<StaffRow | undefined> {
  const [row] = await queryable.query<StaffRow>(`select ${COLUMNS} from staff p where p.uid = $1`, [uid]);
  return row;
}

export async function selectStaffByEmail(queryable: Queryable, email: string): Promise<StaffRow | undefined> {
  const [row] = await queryable.query<StaffRow>(`select ${COLUMNS} from staff p where p.email = $1`, [email]);
  return row;
}

/** SQL: whether a person `s` has a way to sign in: a password, a passkey, or the identity provider. */
export const CAN_SIGN_IN = `(s.password_hash is not null or ${needsNoPassword()})`;

/** The number of owners who can sign in, except one person. An invited owner who has not chosen a password does not count. */
export async function countOtherOwners(queryable: Queryable, uid: string | null): Promise<number> {
  const [row] = await queryable.query<{ count: number }>(
    `select count(*)::integer as count
     from staff s
     where role = 'owner' and disabled_at is null and uid is distinct from $1 and ${CAN_SIGN_IN}`,
    [uid],
  );
  return row?.count ?? 0;
}

export async function hasStaff(queryable: Queryable): Promise<boolean> {
  const [row] = await queryable.query<{ found: boolean }>("select exists (select from staff) as found");
  return row?.found === true;
}

/** Whether the person with the e-mail has signed in from the browser with this token. */
export async function isKnownDevice(
  queryable: Queryable,
  { token, email }: { readonly token: Buffer; readonly email: string },
): Promise<boolean> {
  const [row] = await queryable.query<{ found: boolean }>(
    `select exists (
       select
       from staff_device d
       join staff p on p.uid = d.staff_uid
       where d.token_sha256 = $1 and p.email = $2) as found`,
    [token, email],
  );
  return row?.found === true;
}

/** Everybody with a second factor; a store's staff are few. */
export async function selectSealedTotp(queryable: Queryable): Promise<SealedTotp[]> {
  return queryable.query<SealedTotp>(`
    select uid, email, totp_sealed as totp, totp_draft_sealed as draft
    from staff
    where totp_sealed is not null or totp_draft_sealed is not null
    order by email`);
}

/** Ends a person's sessions, link and known browsers, and resets the failures of their e-mail. */
export async function endAccess(
  tx: Tx,
  { uid, email }: { readonly uid: string; readonly email: string },
): Promise<void> {
  await tx.execute("delete from staff_session where staff_uid = $1", [uid]);
  await tx.execute("delete from staff_link where staff_uid = $1", [uid]);
  await tx.execute("delete from staff_device where staff_uid = $1", [uid]);
  const hash = emailHash(email);
  await tx.execute("delete from sign_in_failure where key = $1 or starts_with(key, $2)", [
    `email/${hash}`,
    `pair/${hash}/`,
  ]);
}

/** SQL: whether a person `s` has a way to sign in other than the password. */
export function needsNoPassword(): string {
  return `(exists (select from staff_passkey k where k.staff_uid = s.uid and k.suspected_at is null)
  or exists (select from staff_identity i where i.staff_uid = s.uid and i.role_lost_at is null))`;
}
