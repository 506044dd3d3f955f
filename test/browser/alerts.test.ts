import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAlertSettings } from "../../src/alerts/change-alert-settings.ts";
import { watchAlerts } from "../../src/alerts/watch-alerts.ts";
import { startReceiver, type TestReceiver } from "../support/receiver.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "../support/smtp.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
let smtp: SmtpServer;
let receiver: TestReceiver;

beforeAll(async () => {
  [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()]);
  shop = await startDashboard({ worker: false, config: { mail: smtpSettings(smtp) } });
});
afterAll(async () => {
  await shop?.stop();
  await Promise.all([smtp?.close(), receiver?.close()]);
});

test("an owner turns alerts on, corrects an address, sends a test and sees what was sent", async () => {
  const page = await shop.open({ path: "/alerts", role: "owner" });
  shop.expectStatus(page, 422);
  await page.getByText("No alerts in the last 90 days").waitFor();
  await shop.look(page, "alerts-off");
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("Nothing was sent: no address and no webhook is saved yet.").waitFor();
  await page.getByLabel("Alerts are on").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Expected an e-mail address or a webhook").waitFor();
  await page.getByLabel("E-mail addresses").fill("ops@store.example\nnobody");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText('Expected e-mail addresses, not "nobody"').waitFor();
  await page.getByLabel("E-mail addresses").fill("ops@store.example");
  await page.getByLabel("Incoming webhook").fill(`${receiver.url}/services/secret`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Set, at 127.0.0.1").waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("The webhook accepted the test").waitFor();
  expect(receiver.arrivals).toHaveLength(1);

  await shop.service.deps.db.execute(`update self_check set breaches = '["a row was changed"]'`);
  await watchAlerts(shop.service.deps);
  await page.reload();
  await page.getByRole("row", { name: /breaches found by the self-check: 1.*Open.*Mail, Webhook/ }).waitFor();
  await shop.look(page, "alerts");
});

test("in Japanese, and on a telephone in both languages", async () => {
  const page = await shop.open({ path: "/alerts", role: "owner", language: "ja" });
  await page.getByRole("row", { name: /自己検査で1件の不整合/ }).waitFor();
  await shop.look(page, "alerts-ja");
  for (const language of ["en", "ja"] as const) {
    const narrow = await shop.open({ path: "/alerts", role: "owner", language, width: 360 });
    await narrow.getByRole("row", { name: /found by the self-check|自己検査/ }).waitFor();
    await shop.look(narrow, `alerts-${language}-360`);
  }
});

test("mails of a store where nobody is notified yet begin in the language of the page", async () => {
  const page = await shop.open({ path: "/reports", role: "owner", language: "ja" });
  expect(await page.getByLabel("メールの言語").inputValue()).toBe("ja");
});

test("settings that were saved meanwhile are shown in place of the input, on request", async () => {
  const page = await shop.open({ path: "/alerts", role: "owner" });
  shop.expectStatus(page, 409);
  const addresses = page.getByLabel("E-mail addresses");
  await addresses.fill("first@store.example");
  const stored = {
    isOn: true,
    kinds: [],
    addresses: ["second@store.example"],
    language: "en",
    grantPercent: 50,
  } as const;
  await changeAlertSettings(shop.service.deps, stored);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Show what is stored now" }).waitFor();
  expect(await addresses.inputValue()).toBe("first@store.example");
  await page.getByRole("button", { name: "Show what is stored now" }).click();
  expect(await addresses.inputValue()).toBe("second@store.example");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Settings saved").waitFor();
});
