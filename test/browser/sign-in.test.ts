import { TOTP } from "otpauth";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { STAFF_PASSWORD } from "../support/staff.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

/** Many steps, each looked at. */
const LONG_MS = 300_000;
const OWNER = { name: "Hana Mori", email: "hana@example.com", password: "correct horse battery" };

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ now: "2026-03-01T00:00:00Z" });
});

afterAll(() => shop?.stop());

async function fill(page: Page, label: string, value: string): Promise<void> {
  await page
    .getByRole("textbox", { name: label })
    .or(page.getByLabel(label, { exact: true }))
    .first()
    .fill(value);
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: OWNER.name }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
}

test(
  "the first person sets the store up, secures the account and signs in with a code",
  async () => {
    const page = await shop.open({ path: "/account", role: null });
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    await shop.look(page, "setup");
    shop.expectStatus(page, 401, 422);
    await fill(page, "Setup code", "aaaa bbbb cccc dddd");
    await fill(page, "Your name", OWNER.name);
    await fill(page, "E-mail", OWNER.email);
    await fill(page, "Password", "short");
    await page.getByRole("button", { name: "Create the owner" }).click();
    await page.getByText("Is not the setup code that the service printed").waitFor();
    await shop.look(page, "setup-refused");
    await fill(page, "Setup code", shop.service.setupCode ?? "");
    await page.getByRole("button", { name: "Create the owner" }).click();
    await page.getByText("expected 12 to 200 characters").waitFor();
    await fill(page, "Password", OWNER.password);
    await page.getByRole("button", { name: "Create the owner" }).click();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();

    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    await shop.look(page, "account-two-step");
    const secret = ((await page.getByText(/^([A-Z2-7]{4} ){5,}[A-Z2-7]{4}$/).textContent()) ?? "").replaceAll(" ", "");
    const codeAt = (seconds: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1_000 }); // a telephone knows no other time
    await fill(page, "Six-digit code", codeAt(0));
    const step = page.locator("form", { has: page.getByRole("button", { name: "Confirm" }) });
    await step.getByLabel("Current password").fill("not the password");
    await page.getByRole("button", { name: "Confirm" }).click();
    await step.getByText("is not your current password").waitFor();
    await shop.look(page, "account-two-step-refused");
    expect(await page.getByRole("textbox", { name: "Six-digit code" }).inputValue()).toMatch(/^\d{6}$/);
    await fill(page, "Six-digit code", codeAt(0)); // the first one may have become too old
    await step.getByLabel("Current password").fill(OWNER.password);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Two-step sign-in is on").waitFor();

    await signOut(page);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await shop.look(page, "sign-in");
    await fill(page, "E-mail", OWNER.email);
    await fill(page, "Password", "something else");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The e-mail or password is wrong.").waitFor();
    await fill(page, "Password", OWNER.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await fill(page, "Six-digit code", codeAt(30));
    await shop.look(page, "sign-in-code");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/account");
  },
  LONG_MS,
);

test("somebody who guesses is told how long to wait", async () => {
  await shop.as("viewer");
  const page = await shop.open({ path: "/", role: null, language: "ja" });
  shop.expectStatus(page, 401, 429);
  await fill(page, "メールアドレス", "nobody@example.com");
  await fill(page, "パスワード", "wrong again");
  const locked = page.getByText(/試行回数の上限に達しました/);
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "ログイン", exact: true }).click();
      await shop.settle(page);
      return await locked.count();
    })
    .toBe(1);
  await shop.look(page, "sign-in-locked-ja");
});

test("what was typed is still there when the same person signs in again, and not for another", async () => {
  const { storefrontId } = await makeCustomer(shop.service.deps, { email: "kept@example.com" });
  const page = await shop.open({ path: `/customers/${storefrontId}/adjust`, role: "support" });
  const { email } = await shop.as("support");
  const panel = page.getByRole("dialog", { name: "Adjust points" });
  await panel.getByRole("textbox", { name: "Points" }).fill("7");
  await panel.getByLabel("Note").fill("Parcel came late");
  // The session ends as the adjustment is sent, so that nothing else is refused first.
  const endSession = async (route: Route) => {
    await page.context().clearCookies();
    await route.continue();
  };
  await page.route("**/adjustments", endSession);
  shop.expectStatus(page, 401);
  await panel.getByRole("button", { name: "Add points" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.unroute("**/adjustments");
  expect(await panel.isVisible()).toBe(false);
  await page.getByText("Your session has ended.").waitFor();
  await shop.look(page, "sign-in-again");
  await fill(page, "E-mail", email);
  await fill(page, "Password", STAFF_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await panel.waitFor();
  expect(await panel.getByLabel("Note").inputValue()).toBe("Parcel came late");
  await panel.getByText("Your session had ended, so nothing was changed.").waitFor();
  await panel.getByRole("button", { name: "Add points" }).click();
  await page.getByText("+7 points. The balance is 7.").waitFor();

  const other = await shop.as("manager");
  await page.getByRole("button", { name: "Adjust points" }).click();
  await panel.getByRole("textbox", { name: "Points" }).fill("8");
  await panel.getByLabel("Note").fill("Only for me");
  await page.route("**/adjustments", endSession);
  await panel.getByRole("button", { name: "Add points" }).click();
  await fill(page, "E-mail", other.email);
  await fill(page, "Password", STAFF_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await panel.waitFor();
  expect(await panel.getByLabel("Note").inputValue()).toBe("");
});

test("a session that ended elsewhere leads to the sign-in, and back to the same page", async () => {
  const page = await shop.open({ path: "/account", role: "support", language: "ja" });
  await page.getByRole("heading", { name: "アカウント", exact: true }).waitFor();
  await shop.look(page, "account-ja");
  const other = await shop.as("support");
  await other.delete("/sessions");
  shop.expectStatus(page, 401);
  await page.getByRole("button", { name: "保存" }).click();
  await page.getByRole("heading", { name: "ログイン" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/admin/account");
});

test("who signs out or in, in one tab, does so in the others, and their input stays for the same person", async () => {
  const { storefrontId } = await makeCustomer(shop.service.deps, { email: "tabs@example.com" });
  const { email } = await shop.as("manager");
  const first = await shop.open({ path: `/customers/${storefrontId}/adjust`, role: "manager" });
  const panel = first.getByRole("dialog", { name: "Adjust points" });
  await panel.getByLabel("Note").fill("Typed in the first tab");
  const second = await first.context().newPage();
  await second.goto(`${shop.service.url}/admin/orders`);
  await second.getByRole("button", { name: /^manager/ }).click();
  await second.getByRole("button", { name: "Sign out", exact: true }).click();
  await first.getByText("Your session has ended.").waitFor();
  expect(await panel.isVisible()).toBe(false);
  await fill(second, "E-mail", email);
  await fill(second, "Password", STAFF_PASSWORD);
  await second.getByRole("button", { name: "Sign in" }).click();
  await panel.waitFor();
  expect(await panel.getByLabel("Note").inputValue()).toBe("Typed in the first tab");
  await shop.look(first, "sign-in-other-tab");
});

test("the link of a file leads to the sign-in, and then to the file or to why there is none", async () => {
  const { email } = await shop.as("manager");
  const page = await shop.open({ path: "/api/orders.csv?state=waiting", role: null });
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await fill(page, "E-mail", email);
  await fill(page, "Password", STAFF_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  const link = page.getByRole("link", { name: "Download the file" });
  await link.waitFor();
  await shop.look(page, "download-file");
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^orders.*\.csv$/);
  await page.goto(`${shop.service.url}/admin/api/exports/019a0000-0000-7000-8000-000000000000/file`);
  await page.getByText("This file is no longer there").waitFor();
  await shop.look(page, "download-gone");
  await page.getByRole("link", { name: "Open the list" }).click();
  await page.waitForURL(/\/csv\/exports$/);
  await page.goto(`${shop.service.url}/admin/api/orders.csv?state=nonsense`);
  await page.getByText("filters that no longer exist").waitFor();
  await shop.look(page, "download-filters");
  await page.goto(`${shop.service.url}/admin/download?file=/orders.csv&status=Pay+us`);
  await page.getByRole("link", { name: "Download the file" }).waitFor();
  await page.goto(`${shop.service.url}/admin/api/segments/019a0000-0000-7000-8000-000000000000/customers.csv`);
  await page.getByText("This file is no longer there.", { exact: true }).waitFor();
  const viewer = await shop.open({ path: "/api/orders.csv", role: "viewer", language: "ja", width: 360 });
  await viewer.getByText("権限がありません").waitFor();
  await shop.look(viewer, "download-not-yours-ja-360");
  await shop.go(viewer, "/download?file=/../../evil.csv");
  await viewer.getByText("このリンクの先にファイルはありません").waitFor();
  await shop.go(viewer, "/download?file=/orders.csv");
  await viewer.getByRole("link", { name: "ファイルをダウンロード" }).waitFor();
  await shop.look(viewer, "download-ja-360");
});
