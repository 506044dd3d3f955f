import { Webhook } from "standardwebhooks";
import { rotateSubscriptionSecret } from "../../src/webhooks/subscriptions/rotate-subscription-secret.ts";
import { breakConnection } from "./break-connection.ts";
import { type DocumentReceiver, type Language, receiverPort, startDocumentReceiver } from "./document-receivers.ts";
import type { TestService } from "./service.ts";
import { waitUntil } from "./wait-until.ts";

const TOPIC = "point_allotment/cascade";
const BODY = '{"point_value":120}';
let customers = 0;

/** The statuses that a receiver returned. */
export interface ReceiverResult {
  /** The statuses of the attempts for two deliveries of the service, the second of which is signed with two secrets. */
  readonly delivered: readonly number[];
  readonly genuine: number;
  readonly changedBody: number;
  readonly old: number;
  readonly unsigned: number;
  /** Signed with another secret. */
  readonly otherSecret: number;
  /** A timestamp of 400 digits. */
  readonly hugeTime: number;
  /** After connections that broke and requests that are not HTTP. */
  readonly unsignedAfterBroken: number;
}

/** Subscribes a receiver of docs/receivers.md, lets the service deliver, and sends it what it has to refuse. */
export async function runReceiver(language: Language, folder: string, service: TestService): Promise<ReceiverResult> {
  const { client } = service;
  const port = await receiverPort();
  const wanted = { topic: TOPIC, callback_url: `http://127.0.0.1:${port}/` };
  const { secret } = (await client.post("/api/storefront/webhooks", wanted)).body.data;
  const receiver = await startDocumentReceiver(language, folder, port, secret);
  try {
    const first = await deliver(service, receiver, `日本-é-${language}-${++customers}`);
    await rotateSubscriptionSecret(service.deps, TOPIC);
    const second = await deliver(service, receiver, `日本-é-${language}-${++customers}`);
    return { delivered: [first, second], ...(await sendDirectly(receiver, port, secret)) };
  } finally {
    await receiver.stop();
    await client.delete("/api/storefront/webhooks", { topic: TOPIC });
  }
}

const ATTEMPTS = `select status from attempt
union all
select 200 from acknowledgement`;

/** Gives a customer points and returns the status of the attempt to deliver that. The receiver has to print what it takes. */
async function deliver({ client, deps }: TestService, receiver: DocumentReceiver, customer: string): Promise<number> {
  const attempts = () => deps.db.query<{ status: number | null }>(ATTEMPTS);
  const before = (await attempts()).length;
  await client.put(`/api/storefront/customers/${encodeURIComponent(customer)}`, {});
  await client.post("/api/storefront/point_allotments", { customer_id: customer, point_value: 120 });
  await waitUntil(async () => (await attempts()).length > before);
  const accepted = (await attempts()).every(({ status }) => status === 200);
  if (accepted) await receiver.waitFor(customer);
  return accepted ? 200 : 0;
}

async function sendDirectly(receiver: DocumentReceiver, port: number, secret: string) {
  const now = new Date();
  const headersOf = (at: Date, key = secret) => ({
    "webhook-id": "msg-1",
    "webhook-timestamp": `${Math.floor(at.getTime() / 1000)}`,
    "webhook-signature": `v1,AAAA ${new Webhook(key).sign("msg-1", at, BODY)}`,
  });
  const send = async (signed: Record<string, string>, body = BODY) => {
    const answer = await fetch(receiver.url, { method: "POST", body, headers: { connection: "close", ...signed } });
    return answer.status;
  };
  const answers = {
    genuine: await send(headersOf(now)),
    changedBody: await send(headersOf(now), BODY.replace("120", "121")),
    old: await send(headersOf(new Date(now.getTime() - 400_000))),
    unsigned: await send({}),
    otherSecret: await send(headersOf(now, "whsec_b2xkLXNlY3JldC1vZi10aGUtc3RvcmU=")),
    hugeTime: await send({ ...headersOf(now), "webhook-timestamp": "9".repeat(400) }),
  };
  for (const text of BROKEN) await breakConnection(port, text);
  return { ...answers, unsignedAfterBroken: await send({}) };
}

const HEAD = "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n";
const BROKEN = [
  "",
  "nonsense\r\n\r\n",
  `${HEAD}content-length: 100\r\n\r\nhalf`,
  `${HEAD}content-length: -3\r\n\r\nabc`,
  `${HEAD}content-length: 2\r\nwebhook-id: \xff\xe9\r\nwebhook-timestamp: ${Math.floor(Date.now() / 1000)}\r\n\r\n\xff\xe9`,
  `${HEAD}\xff\xe9: 1\r\ncontent-length: 2\r\n\r\nab`,
];
