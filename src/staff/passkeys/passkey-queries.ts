import type { Queryable, Tx } from "../../db/pool.ts";
import { HAS_FACTOR } from "../queries.ts";
import type { Passkey } from "./passkey.ts";

/** The fields of a passkey that are needed to check it. */
export interface PasskeyRow {
  readonly uid: string;
  readonly staffUid: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: bigint;
  readonly transports: string[];
  readonly suspectedAt: Temporal.Instant | null;
}

const COLUMNS = `uid, staff_uid as "staffUid", credential_id as "credentialId", public_key as "publicKey",
  sign_count as "signCount", transports, suspected_at as "suspectedAt"`;

export async function selectPasskey(queryable: Queryable, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  const text = `select ${COLUMNS} from staff_passkey where credential_id = $1`;
  return (await queryable.query<PasskeyRow>(text, [credentialId]))[0];
}

/** Locks a passkey: its counter is read and written in one transaction. */
export async function lockPasskey(tx: Tx, uid: string): Promise<PasskeyRow | undefined> {
  const text = `select ${COLUMNS} from staff_passkey where uid = $1 for update`;
  return (await tx.query<PasskeyRow>(text, [uid]))[0];
}

export function selectCredentialIds(queryable: Queryable, staffUid: string): Promise<PasskeyRow[]> {
  return queryable.query<PasskeyRow>(`select ${COLUMNS} from staff_passkey where staff_uid = $1`, [staffUid]);
}

/** A person's passkeys, the oldest first. */
export function selectPasskeysOf(queryable: Queryable, staffUid: string): Promise<Passkey[]> {
  return queryable.query<Passkey>(
    `select uid, name, is_synced as "isSynced", created_at as "createdAt", used_at as "usedAt", suspected_at as "suspectedAt"
     from staff_passkey
     where staff_uid = $1
     order by created_at, uid`,
    [staffUid],
  );
}

/** Deletes a person's recovery codes, after a change and in its transaction, where no second factor is left that they could stand in for. */
export async function endIdleCodes(tx: Tx, staffUid: string): Promise<void> {
  await tx.execute(
    `delete from staff_recovery_code
     where staff_uid = $1 and not exists (select from staff p where p.uid = $1 and ${HAS_FACTOR})`,
    [staffUid],
  );
}

/** The number of recovery codes that a person has left. */
export async function countRecoveryCodes(queryable: Queryable, staffUid: string): Promise<number> {
  const [row] = await queryable.query<{ count: number }>(
    "select count(*)::integer as count from staff_recovery_code where staff_uid = $1",
    [staffUid],
  );
  return row?.count ?? 0;
}
