import { Agent } from "undici";
import { readSigningKey } from "../../credentials/api-secret-key-queries.ts";
import type { Deps } from "../../deps.ts";
import { currentTraceparent } from "../../instruments/request-scope.ts";
import { Problem } from "../../problems.ts";
import { callbackTarget } from "../callbacks/callback-url.ts";
import { guardedLookup } from "../callbacks/guarded-lookup.ts";
import type { AttemptOutcome } from "../delivery/delivery.ts";
import { sendDelivery } from "../delivery/send-delivery.ts";
import { signatureKey, tokenKey } from "../delivery/sign-delivery.ts";
import { customerIdName } from "../payload-fields.ts";
import type { Topic } from "../topics/index.ts";
import { testPayload } from "./test-payload.ts";

const SELECT_RECEIVER = `
select callback_url as "callbackUrl", secret_sealed as "secretSealed", next_secret_sealed as "nextSecretSealed"
from subscription
where topic = $1
  and not is_additional`;

interface Row {
  readonly callbackUrl: string;
  readonly secretSealed: Buffer;
  readonly nextSecretSealed: Buffer | null;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Sends a topic's sample to its receiver once, now, signed like every delivery and marked as a test (`testPayload`, and the header
 * `pointkeeper-test`), and returns the outcome. Nothing is stored, and the receiver's health does not change. Call it outside every transaction.
 * Throws `subscription_not_found`.
 */
export async function sendTestDelivery(deps: Deps, topic: Topic): Promise<AttemptOutcome> {
  const [row] = await deps.db.query<Row>(SELECT_RECEIVER, [topic]);
  if (row === undefined) throw new Problem("subscription_not_found");
  const sealed = row.nextSecretSealed === null ? [row.secretSealed] : [row.secretSealed, row.nextSecretSealed];
  const connect = { lookup: guardedLookup(deps), timeout: CONNECT_TIMEOUT_MS };
  const dispatcher = new Agent({ connections: 1, allowH2: false, connect });
  const receiver = {
    topic,
    target: callbackTarget(row.callbackUrl, deps.config),
    tokenKey: tokenKey(await readSigningKey(deps.db, deps)),
    signatureKeys: sealed.map((bytes) => signatureKey(deps.secretBox.open(bytes))),
    dispatcher,
    revivals: 0,
    exportUrl: () => "",
  };
  try {
    return await sendDelivery(deps, receiver, {
      bucket: 0,
      uid: deps.random.uid(),
      customerUid: null,
      version: null,
      attempts: 0,
      dueAt: deps.clock.now(),
      kind: "first",
      payload: testPayload(topic, customerIdName(deps.config.platform)),
      traceparent: currentTraceparent() ?? null,
      place: null,
      eventAt: null,
      isTest: true,
    });
  } finally {
    await dispatcher.destroy();
  }
}
