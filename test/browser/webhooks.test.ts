import { afterAll, beforeAll, expect, test } from "vitest";
import { addReceiver } from "../../src/webhooks/subscriptions/add-receiver.ts";
import { startReceiver, type TestReceiver } from "../support/receiver.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
let receiver: TestReceiver;

beforeAll(async () => {
  [shop, receiver] = await Promise.all([startDashboard(), startReceiver()]);
  await shop.service.client.put("/api/storefront/customers/1001", { name: "山田花子" });
});
afterAll(async () => {
  await shop?.stop();
  await receiver?.close();
});

const award = (pointValue: number) =>
  shop.service.client.post("/api/storefront/point_allotments", { customer_id: "1001", point_value: pointValue });

/** A delivery that was taken, and one that failed for good. */
async function deliver(): Promise<void> {
  const { db } = shop.service.deps;
  await award(120);
  await waitUntil(async () => (await db.query("select from acknowledgement")).length > 0);
  receiver.answer = () => (response) => response.writeHead(503).end("<h1>Service unavailable</h1>");
  await award(35);
  await waitUntil(async () => {
    const count = await db.execute("update delivery set state = 'failed', attempts = 21 where attempts > 0");
    return count > 0;
  });
  receiver.answer = () => 200;
}

test("a manager subscribes a receiver, sends it a test, and sends what failed again", async () => {
  const page = await shop.open({ role: "manager", language: "ja", path: "/webhooks" });
  await shop.look(page, "webhooks-empty-ja");
  await page.getByRole("link", { name: "ポイントの付与・減算" }).click();
  await page.getByRole("textbox", { name: "受信先のURL" }).fill("ftp://shop.example.com");
  shop.expectStatus(page, 422);
  await page.getByRole("dialog").getByRole("button", { name: "登録する" }).click();
  await page.getByText("https:// から始まるURLを入力してください").waitFor();
  await page.getByRole("textbox", { name: "受信先のURL" }).fill(receiver.url);
  await page.getByRole("dialog").getByRole("button", { name: "登録する" }).click();
  await page.getByText("whsec_").waitFor();
  await page.getByRole("button", { name: "控えました" }).click();
  await page.getByRole("button", { name: "テスト送信" }).click();
  await page.getByText("応答 200").waitFor();
  expect(receiver.arrivals[0]?.headers["pointkeeper-test"]).toBe("true");
  await shop.look(page, "webhooks-receiver-ja");

  await deliver();
  await shop.go(page, "/webhooks?state=failed");
  await page.getByRole("row", { name: /503/ }).getByRole("link", { name: "ポイントの付与・減算" }).press("Enter");
  await page.getByText("Service unavailable").waitFor();
  await page.getByRole("dialog").getByRole("link", { name: "山田花子" }).waitFor();
  await shop.look(page, "webhooks-delivery-ja");
  await page.getByRole("button", { name: "再送する" }).click();
  await page.getByText("再送を開始しました。").waitFor();
  await waitUntil(() => receiver.arrivals.filter(({ body }) => body.includes('"point_value":35')).length === 2);
  await page.getByText("スタッフによる再送").waitFor({ timeout: 8_000 }); // the page reads it by itself, before its next turn of ten seconds
  await waitUntil(async () => {
    await page.reload(); // the attempt is recorded after its answer
    await page.getByText("Service unavailable").waitFor();
    return (await page.getByText("スタッフによる再送").count()) === 1; // no second "first attempt"
  });
  expect(await page.getByText("初回", { exact: true }).count()).toBe(1);
});

test("a topic that there is not is said to be none", async () => {
  const page = await shop.open({ role: "viewer", path: "/webhooks/topic/no-such-topic" });
  await page.getByRole("dialog").getByText("There is no such topic").waitFor();
  shop.expectStatus(page, 422);
  await shop.go(page, "/webhooks?topic=no/such");
  await page.getByText("A filter in this page's address is not known here.").waitFor();
  expect(await page.getByLabel("Topic").locator("option:checked").innerText()).toBe("Unknown topic");
});

test("a viewer sees the same and changes nothing, in English", async () => {
  const page = await shop.open({ role: "viewer", path: "/webhooks" });
  await page
    .getByRole("row", { name: /Delivered/ })
    .first()
    .waitFor();
  expect(await page.getByRole("button", { name: "Send failed again" }).count()).toBe(0);
  await shop.look(page, "webhooks");
});

test("additional receivers have a line of health, and each attempt names its receiver, in both languages", async () => {
  const other = await startReceiver();
  try {
    other.answer = () => 500;
    const { deps } = shop.service;
    const input = { topic: "point_allotment/cascade", callbackUrl: `${other.url}/crm` } as const;
    const { uid } = await deps.db.tx((tx) => addReceiver(tx, deps, input));
    await award(77);
    const isFailing = "select from subscription where uid = $1 and failures > 0";
    await waitUntil(async () => (await deps.db.query(isFailing, [uid])).length === 1);
    await waitUntil(() => receiver.arrivals.some(({ body }) => body.includes('"point_value":77')));
    for (const [language, health] of [
      ["en", /failed|failures in a row|Down/],
      ["ja", /連続で失敗/],
    ] as const) {
      const page = await shop.open({ role: "manager", language, path: "/webhooks" });
      await page.getByRole("row", { name: input.callbackUrl }).getByText(health).waitFor();
      await shop.look(page, `webhooks-additional-${language}`);
      await shop.go(page, `/webhooks/delivery/${await deliveryOf(77)}`);
      const panel = page.getByRole("dialog");
      await panel.getByText(input.callbackUrl).first().waitFor();
      await panel.getByRole("listitem").getByText(receiver.url, { exact: true }).waitFor();
      await shop.look(page, `webhooks-attempts-${language}`);
    }
  } finally {
    await other.close();
  }
});

async function deliveryOf(points: number): Promise<string> {
  const text = "select uid from outbox_event where payload::jsonb ->> 'point_value' = $1";
  const [row] = await shop.service.deps.db.query<{ uid: string }>(text, [String(points)]);
  return row?.uid ?? "";
}
