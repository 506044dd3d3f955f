import { Webhook } from "standardwebhooks";
import type { Client } from "./client.ts";
import { type DocumentReceiver, type Language, receiverPort, startDocumentReceiver } from "./document-receivers.ts";
import { waitUntil } from "./wait-until.ts";

const TOPIC = "point_allotment/cascade";
const BODY = '{"point_value":120}';
let customers = 0;

/** The statuses that a receiver returned. */
export interface ReceiverResult {
  /** The status of the attempt for a delivery of the service. */
  readonly delivered: number;
  readonly genuine: number;
  readonly changedBody: number;
  readonly old: number;
  readonly unsigned: number;
  /** Signed with another secret. */
  readonly otherSecret: number;
  /** A timestamp of 400 digits. */
  readonly hugeTime: number;
}

/** Subscribes a receiver of docs/receivers.md, lets the service deliver, and sends it what it has to refuse. */
export async function runReceiver(
  language: Language,
  folder: string,
  client: Client,
  attemptStatus: () => Promise<number | undefined>,
): Promise<ReceiverResult> {
  const port = await receiverPort();
  const wanted = { topic: TOPIC, callback_url: `http://127.0.0.1:${port}/` };
  const { secret } = (await client.post("/api/storefront/webhooks", wanted)).body.data;
  const receiver = await startDocumentReceiver(language, folder, port, secret);
  try {
    const customer = `${language}-${++customers}`;
    await client.put(`/api/storefront/customers/${customer}`, {});
    await client.post("/api/storefront/point_allotments", { customer_id: customer, point_value: 120 });
    let delivered: number | undefined;
    await waitUntil(async () => {
      delivered = await attemptStatus();
      return delivered !== undefined;
    });
    return { delivered: delivered ?? 0, ...(await sendDirectly(receiver, secret)) };
  } finally {
    await receiver.stop();
    await client.delete("/api/storefront/webhooks", { topic: TOPIC });
  }
}

async function sendDirectly({ url }: DocumentReceiver, secret: string): Promise<Omit<ReceiverResult, "delivered">> {
  const now = new Date();
  const headersOf = (at: Date, key = secret) => ({
    "webhook-id": "msg-1",
    "webhook-timestamp": `${Math.floor(at.getTime() / 1000)}`,
    "webhook-signature": `v1,AAAA ${new Webhook(key).sign("msg-1", at, BODY)}`,
  });
  const send = async (signed: Record<string, string>, body = BODY) => {
    const answer = await fetch(url, { method: "POST", body, headers: { connection: "close", ...signed } });
    return answer.status;
  };
  return {
    genuine: await send(headersOf(now)),
    changedBody: await send(headersOf(now), BODY.replace("120", "121")),
    old: await send(headersOf(new Date(now.getTime() - 400_000))),
    unsigned: await send({}),
    otherSecret: await send(headersOf(now, "whsec_b2xkLXNlY3JldC1vZi10aGUtc3RvcmU=")),
    hugeTime: await send({ ...headersOf(now), "webhook-timestamp": "9".repeat(400) }),
  };
}
