import { afterAll, beforeAll, test } from "vitest";
import { exportLedger } from "../../src/admin/ledger/export-ledger.ts";
import { runReports } from "../../src/reports/run-reports.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "../support/smtp.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
let smtp: SmtpServer;

beforeAll(async () => {
  smtp = await startSmtp();
  shop = await startDashboard({ worker: false, config: { mail: smtpSettings(smtp) } });
});
afterAll(async () => {
  await shop?.stop();
  await smtp?.close();
});

test("an owner turns reports on, corrects an address, and finds the file", async () => {
  const page = await shop.open({ path: "/reports", role: "owner" });
  shop.expectStatus(page, 422);
  await page.getByText("No reports yet").waitFor();
  await page.getByLabel("Make reports").check();
  await page.getByLabel("E-mail addresses").fill("nobody");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText('Expected e-mail addresses, not "nobody"').waitFor();
  await page.getByLabel("E-mail addresses").fill("books@store.example");
  await page.getByLabel("Liability: journal entries of the month", { exact: false }).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Settings saved").waitFor();
  await runReports(shop.service.deps, {
    sources: { ledger: async (deps, period) => (await exportLedger(deps, period)).pieces },
  });
  await page.reload();
  await page.getByRole("row", { name: /Ledger.*Ready.*Mails with the file: 1/ }).waitFor();
  await shop.look(page, "reports");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).first().click();
  await download;
});

test("in Japanese, and on a telephone in both languages", async () => {
  const page = await shop.open({ path: "/reports", role: "owner", language: "ja" });
  await page.getByRole("row", { name: /ポイント履歴.*完了/ }).waitFor();
  await shop.look(page, "reports-ja");
  for (const language of ["en", "ja"] as const) {
    const narrow = await shop.open({ path: "/reports", role: "owner", language, width: 360 });
    await narrow
      .getByRole("row", { name: /Ready|完了/ })
      .first()
      .waitFor();
    await shop.look(narrow, `reports-${language}-360`);
  }
});
