import { readSigningKey } from "../credentials/api-secret-key-queries.ts";
import type { Deps } from "../deps.ts";
import { callbackTarget } from "./callback-url.ts";
import type { ReceiverHealth } from "./retry-schedule.ts";
import type { Receiver } from "./send-delivery.ts";
import { signatureKey, tokenKey } from "./sign-delivery.ts";
import type { Topic } from "./topics/index.ts";

const SELECT_RECEIVER = `
select topic, callback_url as "callbackUrl", secret_sealed as "secretSealed", next_secret_sealed as "nextSecretSealed",
  failures, revivals
from subscription
where uid = $1
  and lease_uid = $2`;

interface Row extends ReceiverHealth {
  topic: Topic;
  callbackUrl: string;
  secretSealed: Buffer;
  nextSecretSealed: Buffer | null;
}

export type ReceiverFacts = Pick<Receiver, "topic" | "target" | "tokenKey" | "signatureKeys"> & {
  health: ReceiverHealth;
};

/** Where a subscription's deliveries go and what signs them now; null where it is gone, or served by another worker. */
export async function readReceiver(
  deps: Pick<Deps, "db" | "secretBox" | "config">,
  subscriptionUid: string,
  leaseUid: string,
): Promise<ReceiverFacts | null> {
  const [row] = await deps.db.query<Row>(SELECT_RECEIVER, [subscriptionUid, leaseUid]);
  if (row === undefined) return null;
  const sealed = row.nextSecretSealed === null ? [row.secretSealed] : [row.secretSealed, row.nextSecretSealed];
  return {
    topic: row.topic,
    target: callbackTarget(row.callbackUrl, deps.config),
    tokenKey: tokenKey(await readSigningKey(deps.db, deps)),
    signatureKeys: sealed.map((bytes) => signatureKey(deps.secretBox.open(bytes))),
    health: { failures: row.failures, revivals: row.revivals },
  };
}
