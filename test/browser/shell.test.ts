import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard();
});

afterAll(() => shop?.stop());

/** How often an endless animation of a component runs in the page: the library's are in a layer of styles. */
const ANIMATION_RUNS = `(() => {
  const styles = new CSSStyleSheet();
  styles.replaceSync("@keyframes turning { to { rotate: 1turn } } @layer mantine { .turning { animation: turning 1s infinite } }");
  document.adoptedStyleSheets = [styles];
  const box = Object.assign(document.createElement("div"), { className: "turning" });
  document.body.append(box);
  const runs = getComputedStyle(box).animationIterationCount;
  box.remove();
  document.adoptedStyleSheets = [];
  return runs;
})()`;

test("an address that there is none of has a page inside the dashboard, with the way back", async () => {
  const page = await shop.open({ path: "/no-such-page", language: "ja", role: "owner" });
  await page.getByRole("heading", { level: 1, name: "ページが見つかりません" }).waitFor();
  expect(await page.title()).toBe("ページが見つかりません");
  await shop.look(page, "not-found-ja");
  expect(await page.getByRole("link", { name: "ホームへ" }).getAttribute("href")).toBe("/admin/");
  await page.getByRole("navigation", { name: "メニュー" }).getByRole("link", { name: "スタッフ" }).waitFor();
  expect(
    await page.evaluate(ANIMATION_RUNS),
    "for people who want no motion, nothing turns or flickers without end",
  ).toBe("1");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await page.evaluate(ANIMATION_RUNS)).toBe("infinite");
});

test("an address of which a page has no part is not answered with another part", async () => {
  const page = await shop.open({ path: "/csv/nothing", role: "owner" });
  const { storefrontId: id } = await makeCustomer(shop.service.deps, { email: "parts@example.com" });
  const addresses = ["csv", "program", "growth", "webhooks", "messages", "liability", `customers/${id}`];
  for (const address of addresses) {
    await shop.go(page, `/${address}/nothing`);
    await page.getByText("This page does not exist").waitFor();
    await shop.go(page, `/${address}`);
    await page.getByText("This page does not exist").waitFor({ state: "detached" });
  }
});

test("the palette leads by typing to a page, and shows only what the role may see", async () => {
  const page = await shop.open({ path: "/account", role: "viewer" });
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByText("Ledger").waitFor();
  expect(await palette.getByText("People").count()).toBe(0);
  await shop.look(page, "palette");
  await page.keyboard.type("ledg");
  await palette.getByText("Orders").waitFor({ state: "hidden" });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Ledger" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/admin/ledger");
});

test("the palette finds a customer by what is typed, and leads from one form of points to an empty one of another", async () => {
  const { storefrontId } = await makeCustomer(shop.service.deps, { email: "yuko.palette@example.com" });
  const ken = await makeCustomer(shop.service.deps, { email: "ken.palette@example.com" });
  const page = await shop.open({ path: `/customers/${ken.storefrontId}`, language: "ja" });
  await page.getByRole("button", { name: "検索" }).click();
  const palette = page.getByRole("dialog");
  await palette.getByRole("combobox").fill("yuko.pal");
  await palette.getByText("yuko.palette@example.com").first().click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/customers/${storefrontId}`);
  await page.getByRole("button", { name: "ポイントを調整" }).click();
  await page.getByLabel("ポイント数").fill("77");
  await page.keyboard.press("Control+k");
  const over = page.getByRole("dialog", { name: "検索" });
  await over.getByRole("combobox").fill("ken.pal");
  await over.getByRole("option", { name: "ポイントの付与・減算：ken.palette@example.com" }).click();
  await page.getByRole("button", { name: "破棄して閉じる" }).click();
  await page.getByRole("heading", { level: 1, name: "ken.palette@example.com" }).waitFor();
  expect(await page.getByLabel("ポイント数").inputValue()).toBe("");
});

/** Keeps the code of the palette's results back until it is let go. */
async function holdResults(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(/assets\/palette-results-.*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(FRAMES); // a shortcut is heard a moment after the page is drawn
  return held.resolve;
}

test("keys before the palette's code is there are kept, and Enter goes to the first result when it arrives", async () => {
  for (let n = 10; n < 18; n++) await makeCustomer(shop.service.deps, { email: `haruto-${n}@example.com` });
  const first = await makeCustomer(shop.service.deps, { email: "haruto@example.com" });
  const page = await shop.open({ path: "/account", language: "ja" });
  const letGo = await holdResults(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("haruto");
  letGo();
  const palette = page.getByRole("dialog");
  await palette.getByText("9件の結果をすべて表示").waitFor();
  const field = palette.getByRole("combobox");
  expect(await field.inputValue()).toBe("haruto");
  const options = palette.getByRole("option");
  const selected = async () =>
    await page.evaluate<number>(
      "[...document.querySelectorAll('[role=option]')].findIndex((one) => one.ariaSelected === 'true')",
    );
  const named = () => field.getAttribute("aria-activedescendant");
  expect(await selected()).toBe(0);
  await page.keyboard.press("ArrowDown");
  await expect.poll(selected).toBe(1);
  expect(await options.nth(1).getAttribute("id")).toBe(await named());
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect.poll(selected).toBe((await options.count()) - 1);
  await page.keyboard.press("ArrowDown");
  await expect.poll(selected).toBe(0);
  await shop.look(page, "palette-found-ja");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/customers/${first.storefrontId}`);
  await page.getByRole("heading", { level: 1, name: "haruto@example.com" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("haruto-15");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "haruto-15@example.com" }).waitFor();
});

test("what an input method composes right after Ctrl-K is kept, and the Enter that ends it goes nowhere", async () => {
  await makeCustomer(shop.service.deps, { email: "sakura@example.com", name: "佐倉 美月" });
  const page = await shop.open({ path: "/account", language: "ja" });
  const letGo = await holdResults(page);
  const inputMethod = await page.context().newCDPSession(page);
  await page.keyboard.press("Control+k");
  await inputMethod.send("Input.imeSetComposition", { text: "さくら", selectionStart: 3, selectionEnd: 3 });
  await inputMethod.send("Input.imeSetComposition", { text: "佐倉", selectionStart: 2, selectionEnd: 2 });
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 } as const;
  await inputMethod.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await inputMethod.send("Input.insertText", { text: "佐倉" });
  letGo();
  const palette = page.getByRole("dialog");
  await palette.getByRole("option", { name: /^佐倉 美月/ }).waitFor();
  expect(await palette.getByRole("combobox").inputValue()).toBe("佐倉");
  expect(new URL(page.url()).pathname).toBe("/admin/account");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "佐倉 美月" }).waitFor();
});

test("the palette gives the focus back when it is closed, and leaves the panel below it open", async () => {
  const { storefrontId } = await makeCustomer(shop.service.deps, { email: "below@example.com" });
  const page = await shop.open({ path: `/customers/${storefrontId}/adjust` });
  const panel = page.getByRole("dialog", { name: "Adjust points" });
  const note = panel.getByLabel("Note");
  await note.fill("Parcel came late");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  await palette.getByRole("option").first().waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
  expect(await note.and(page.locator(":focus")).count()).toBe(1);
  expect(await panel.isVisible()).toBe(true);
});

test("the palette finds actions by other words than their names", async () => {
  const page = await shop.open({ path: "/account", role: "manager" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("double poi");
  await page.getByRole("dialog").getByText("Campaigns").click();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/admin/program/campaigns");
});

test("a telephone in the dark has the navigation in a drawer", async () => {
  const page = await shop.open({ path: "/account", width: 360, height: 720, colorScheme: "dark", language: "ja" });
  await shop.look(page, "account-dark-360-ja");
  await page.getByRole("button", { name: "メニューを開く" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("link", { name: "ポイント履歴" }).waitFor();
  await shop.look(page, "navigation-dark-360-ja");
  await drawer.getByRole("link", { name: "ポイント履歴" }).click();
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await drawer.waitFor({ state: "hidden" });
  expect(new URL(page.url()).pathname).toBe("/admin/ledger");
});

test("a page in dark colours is printed in the light ones, and is dark again afterwards", async () => {
  const page = await shop.open({ path: "/account", colorScheme: "dark" });
  const colour = `getComputedStyle(document.body).getPropertyValue("--pk-neutral")`;
  const dark = await page.evaluate<string>(colour);
  await page.evaluate(`addEventListener("beforeprint", () => { globalThis.printed = ${colour} })`);
  await page.pdf();
  const printed = await page.evaluate<string>("globalThis.printed");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => page.evaluate(colour)).not.toBe(dark);
  expect(printed).toBe(await page.evaluate(colour));
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => page.evaluate(colour)).toBe(dark);
});

test("what one person read is not there for another, who signs in elsewhere in the browser", async () => {
  await makeCustomer(shop.service.deps, { email: "seen.before@example.com" });
  const page = await shop.open({ path: "/customers", role: "support" });
  await page.getByText("seen.before@example.com").waitFor();
  await page.getByRole("button", { name: "support" }).click();
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
  const other = await shop.as("viewer");
  const { hostname } = new URL(shop.service.url);
  const session = { name: "pointkeeper_session", value: other.sessionToken, domain: hostname, path: "/admin" };
  await page.context().addCookies([session]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(other.email).waitFor();
  const read = page.waitForRequest((request) => request.url().includes("/admin/api/customers"));
  await page.getByRole("link", { name: "Customers" }).click();
  await read;
});

test("a language that is chosen is there at once and at the next visit", async () => {
  const page = await shop.open({ path: "/account", role: "support" });
  await page.getByRole("button", { name: "support" }).click();
  await shop.look(page, "account-menu");
  await page.getByRole("button", { name: "日本語" }).click();
  await page.getByRole("heading", { level: 1, name: "アカウント" }).waitFor();
  await shop.settle(page);
  const later = await shop.open({ path: "/account", role: "support", language: "en" });
  await later.getByRole("heading", { level: 1, name: "アカウント" }).waitFor();
});

/** The paths below /admin that a page requests from now on. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname.replace("/admin", "")));
  return asked;
}

test("what the next page reads is asked for when its link is pressed, and once", async () => {
  const page = await shop.open({ path: "/customers" });
  const asked = watchRequests(page);
  await page.getByRole("navigation").getByRole("link", { name: "Ledger" }).hover();
  await page.mouse.down();
  await expect.poll(() => asked.filter((path) => path.startsWith("/api/ledger"))).toHaveLength(2);
  expect(new URL(page.url()).pathname).toBe("/admin/customers");
  await page.mouse.up();
  await page.getByRole("heading", { level: 1, name: "Ledger" }).waitFor();
  await shop.settle(page);
  expect(asked.filter((path) => path.startsWith("/api/ledger")).toSorted()).toEqual([
    "/api/ledger",
    "/api/ledger/totals",
  ]);
});

test("nothing is read of a page that the role may not see", async () => {
  const page = await shop.open({ path: "/customers", role: "viewer" });
  const asked = watchRequests(page);
  await page.goto(`${shop.service.url}/admin/audit`);
  await page.getByText("Your role has no access to this page").waitFor();
  await shop.settle(page);
  expect(asked.filter((path) => path.startsWith("/api/audit"))).toEqual([]);
});

test("the code of the pages is fetched while nothing else is to be done, unless the browser is to save data", async () => {
  for (const savesData of [false, true]) {
    const page = await shop.open({ path: "/account" });
    const save = `Object.defineProperty(navigator, "connection", { value: { saveData: ${savesData} } })`;
    await page.addInitScript(save);
    await page.reload();
    const asked = watchRequests(page);
    await shop.settle(page);
    const fetched = () => asked.filter((path) => /assets\/(?:page|order-page)-.*\.js$/.test(path)).length;
    if (savesData) {
      await page.waitForTimeout(4_000);
      await shop.settle(page);
      expect(fetched()).toBeLessThan(2); // its own
    } else await expect.poll(fetched).toBeGreaterThan(10);
    await page.context().close();
  }
});
