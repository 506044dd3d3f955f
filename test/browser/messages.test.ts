import { afterAll, beforeAll, expect, test } from "vitest";
import { sendMessages } from "../../src/messages/send-messages.ts";
import { readMails, sendWaitingMails } from "../support/mails.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "../support/smtp.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
let smtp: SmtpServer;

beforeAll(async () => {
  smtp = await startSmtp();
  shop = await startDashboard({ worker: false, config: { mail: smtpSettings(smtp) } });
  await shop.service.client.put("/api/storefront/customers/7", {
    email: "hana@example.com",
    name: "山田 花子",
    accepts_marketing: true,
  });
  await shop.service.client.post("/api/storefront/point_allotments", { customer_id: "7", point_value: 1_234 });
});
afterAll(async () => {
  await shop?.stop();
  await smtp?.close();
});

test("a manager turns the reminder on, corrects a placeholder, previews it and sends a test", async () => {
  const page = await shop.open({ path: "/messages", role: "manager" });
  shop.expectStatus(page, 422);
  await page.getByRole("row", { name: /Points expire soon.*14 days before.*Off/ }).waitFor();
  await shop.look(page, "messages");
  await page.getByRole("row", { name: /Points expire soon/ }).click();
  await page.getByLabel("Send this message").check();
  await page.getByLabel("Days before").fill("30");
  await page.getByLabel("Subject").fill("Use your {pionts}");
  await page.getByRole("button", { name: "Save", exact: true }).first().waitFor();
  const panel = page.getByRole("dialog");
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByText("{pionts} is not known here").waitFor();
  await page.getByLabel("Subject").fill("Use your {ponts}");
  await panel.getByRole("button", { name: "Send a test to me" }).click();
  await panel.getByRole("alert").getByText("Subject: {ponts} is not known here").waitFor();
  await page.getByLabel("Subject").fill("Use your {points}");
  await panel.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  await page.getByLabel("Customer", { exact: true }).fill("hana@example.com");
  await panel.getByRole("button", { name: "Show the preview" }).click();
  await panel.getByText("Use your 1,234", { exact: true }).waitFor();
  await panel.getByText("Hello 山田 花子,").waitFor();
  await shop.look(page, "message-panel");
  await panel.getByRole("button", { name: "Send a test to me" }).click();
  await page.getByText(/A test to .* is queued/).waitFor();
  await sendWaitingMails(shop.service.deps);
  expect(readMails(smtp)[0]?.subject).toBe("[Test] Use your 1,234");
});

test("a message that was saved meanwhile is shown in place of the input, on request", async () => {
  const page = await shop.open({ path: "/messages/birthday", role: "manager" });
  const panel = page.getByRole("dialog");
  const subject = panel.getByLabel("Subject");
  await subject.fill("Mine");
  const manager = await shop.as("manager");
  const { messages } = (await manager.get("/messages")).body.data;
  const { is_on, days_before, texts } = messages.find((one: { kind: string }) => one.kind === "birthday");
  const { text } = texts.en;
  const other = { is_on, days_before, texts: { en: { subject: "Another's", text } } };
  expect((await manager.put("/messages/birthday", other)).status).toBe(200);
  shop.expectStatus(page, 409);
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByRole("button", { name: "Show what is stored now" }).waitFor();
  expect(await subject.inputValue()).toBe("Mine");
  await shop.look(page, "message-meanwhile");
  await panel.getByRole("button", { name: "Show what is stored now" }).click();
  expect(await subject.inputValue()).toBe("Another's");
  await subject.fill("Both");
  await panel.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
});

test("the log shows what was sent to whom, and who unsubscribes by the page's button gets no more", async () => {
  const { client, deps } = shop.service;
  const [tier] = (await client.get("/api/storefront/tiers")).body.data;
  expect(tier).toBeDefined();
  await deps.db.execute("update message_setting set is_on = true where kind = 'birthday'");
  const today = deps.clock.now().toZonedDateTimeISO("Asia/Tokyo").toPlainDate();
  await client.put("/api/storefront/customers/7", { birthday: today.toString().replace(/^\d{4}-/, "--") });
  await deps.db.execute("update message_rule set send_hour = 0");
  await sendMessages(deps);
  await sendWaitingMails(deps);
  const page = await shop.open({ path: "/mails", role: "manager" });
  await page.getByRole("row", { name: /hana@example.com.*Sent/ }).waitFor();
  await shop.look(page, "mails");
  const mail = readMails(smtp).find(({ to }) => to === "hana@example.com");
  const link = /\/unsubscribe\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  const stranger = await shop.open({ path: "/messages", role: "manager", width: 360 });
  await stranger.goto(`${shop.service.url}${link.replace("lang=en", "lang=ja")}`);
  await shop.look(stranger, "unsubscribe-ja-360");
  await stranger.getByRole("button", { name: "配信を停止する" }).click();
  await stranger.getByText("配信を停止しました").waitFor();
  await stranger.goto(`${shop.service.url}${link}`);
  await shop.look(stranger, "unsubscribe-360");
});

test("in Japanese, and on a telephone in both languages", async () => {
  const page = await shop.open({ path: "/messages/statement", role: "owner", language: "ja" });
  await page.getByRole("dialog").getByLabel("件名").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "プレビューを表示" }).click();
  await page.getByText("一部は見本の数値です。").waitFor();
  await shop.look(page, "message-panel-ja");
  for (const language of ["en", "ja"] as const) {
    const narrow = await shop.open({ path: "/messages", role: "owner", language, width: 360 });
    await narrow.getByRole("row", { name: /Birthday|誕生日/ }).waitFor();
    await shop.look(narrow, `messages-${language}-360`);
    await shop.go(narrow, "/messages/birthday");
    await narrow
      .getByRole("dialog")
      .getByLabel(/Subject|件名/)
      .waitFor();
    await shop.look(narrow, `message-panel-${language}-360`);
    await shop.go(narrow, "/mails");
    await narrow.getByRole("row", { name: /hana@example.com/ }).waitFor();
    await shop.look(narrow, `mails-${language}-360`);
  }
});
