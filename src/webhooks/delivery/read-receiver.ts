import type { Deps } from "../../deps.ts";
import { callbackTarget } from "../callbacks/callback-url.ts";
import type { Topic } from "../topics/index.ts";
import type { ReceiverHealth } from "./retry-schedule.ts";
import type { Receiver } from "./send-delivery.ts";
import { signatureKey, tokenKey } from "./sign-delivery.ts";

const SELECT_RECEIVER = `
select s.topic, s.callback_url as "callbackUrl", s.secret_sealed as "secretSealed", s.next_secret_sealed as "nextSecretSealed",
  s.failures, s.revivals, k.sealed as "keySealed"
from subscription s
left join api_secret_key k on k.state = 'current'
where s.uid = $1
  and s.lease_uid = $2`;

interface Row extends ReceiverHealth {
  topic: Topic;
  callbackUrl: string;
  secretSealed: Buffer;
  nextSecretSealed: Buffer | null;
  /** The sealed API secret key: the current one signs tokens until a rotation is confirmed (program.md 7). */
  keySealed: Buffer | null;
}

export type ReceiverFacts = Pick<Receiver, "topic" | "target" | "tokenKey" | "signatureKeys"> & {
  readonly health: ReceiverHealth;
  readonly callbackUrl: string;
  /** The keys as stored: if they are unchanged, the decrypted keys are too. */
  readonly sealed: readonly Buffer[];
};

/**
 * Returns the target of a subscription's deliveries and the keys that sign them now; null if the subscription was deleted, or is served by another
 * worker. `known` is the previous result: keys that are stored unchanged are not decrypted again.
 */
export async function readReceiver(
  deps: Pick<Deps, "db" | "secretBox" | "config">,
  subscriptionUid: string,
  leaseUid: string,
  known: ReceiverFacts | null,
): Promise<ReceiverFacts | null> {
  const [row] = await deps.db.query<Row>(SELECT_RECEIVER, [subscriptionUid, leaseUid]);
  if (row === undefined) return null;
  const { keySealed, secretSealed, nextSecretSealed, callbackUrl, topic, failures, revivals } = row;
  if (keySealed === null) throw new Error("The store has no API secret key: the service was never started on it.");
  const sealed = [keySealed, secretSealed, ...(nextSecretSealed === null ? [] : [nextSecretSealed])];
  const health = { failures, revivals };
  if (known?.callbackUrl === callbackUrl && isSame(known.sealed, sealed)) return { ...known, health };
  const [token, ...signatures] = sealed.map((bytes) => deps.secretBox.open(bytes));
  return {
    topic,
    callbackUrl,
    target: callbackTarget(callbackUrl, deps.config),
    tokenKey: tokenKey(token ?? ""),
    signatureKeys: signatures.map(signatureKey),
    sealed,
    health,
  };
}

function isSame(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((bytes, i) => b[i]?.equals(bytes));
}
