import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { focused, tabTo } from "./support/keys.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const ROWS_OF_A_PAGE = 50;

let shop: Dashboard;
let customer: string;

beforeAll(async () => {
  shop = await startDashboard();
  customer = (await makeCustomer(shop.service.deps, { email: "keys@example.com", name: "Kei Mori" })).storefrontId;
});
afterAll(() => shop?.stop());

describe("the focus returns to where it was when a dialog is closed with Esc", () => {
  test.each([
    ["/people", "Invite a person", "Invite a person"],
    [`/customers`, "New customer", "New customer"],
    ["/ledger", "Type: All types", ""],
    ["/customers", "Views", ""],
    ["/webhooks", "Send failed again", "Send failed deliveries again"],
  ])("%s, %s", async (path, button, dialog) => {
    const page = await shop.open({ path, role: "owner" });
    await tabTo(page, button);
    await page.keyboard.press("Enter");
    const over =
      dialog === "" ? page.locator("[role=dialog], [role=menu]") : page.getByRole("dialog", { name: dialog });
    await over.first().waitFor();
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('[role=dialog], [role=menu]') !== null"))
      .toBe(true);
    await page.keyboard.press("Escape");
    await over.first().waitFor({ state: "hidden" });
    await expect.poll(() => focused(page)).toBe(button);
  });
});

test("a button that waited for an answer has the focus again", async () => {
  const page = await shop.open({ path: "/account", role: "viewer" });
  await tabTo(page, "Save");
  await page.keyboard.press("Enter");
  await page.getByText("Saved", { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe("Save");
});

test("a button that is off after the answer gives the focus to the first field of its form", async () => {
  const page = await shop.open({ path: `/customers/${customer}/notes` });
  await page.getByLabel("Note", { exact: true }).fill("Calls on Mondays");
  await tabTo(page, "Add note");
  await page.keyboard.press("Enter");
  await page.getByText("Calls on Mondays").waitFor();
  await expect.poll(() => focused(page)).toBe("Note");
});

test("the first field that was refused gets the focus, whether a button or Enter sent the form", async () => {
  const page = await shop.open({ path: "/people", role: "owner" });
  shop.expectStatus(page, 422);
  await tabTo(page, "Invite a person");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await dialog.getByLabel("Name").fill("Ken");
  await dialog.getByLabel("E-mail").fill((await shop.as("owner")).email);
  await tabTo(page, "Invite");
  await page.keyboard.press("Enter");
  await dialog.getByText(/has this e-mail address already/).waitFor();
  await expect.poll(() => focused(page)).toMatch(/^E-mail/);
  for (let times = 0; times < 5; times++) {
    await dialog.getByLabel("Name").press("Enter"); // the same answer again, sometimes before the page shows that the form is sent
    await expect.poll(() => focused(page)).toMatch(/^E-mail/);
  }
});

test("a panel with text that is not saved asks before it closes", async () => {
  const page = await shop.open({ path: "/customers" });
  await page.getByRole("button", { name: "New customer" }).click();
  const panel = page.getByRole("dialog", { name: "New customer" });
  await panel.getByLabel("Name").fill("Mio");
  const question = page.getByRole("dialog", { name: "Close without saving?" });
  await page.keyboard.press("Escape");
  await question.waitFor();
  await shop.look(page, "panel-discard");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  expect(await panel.getByLabel("Name").inputValue()).toBe("Mio");
  await expect.poll(() => page.evaluate("document.activeElement.closest('[role=dialog]') !== null")).toBe(true);
  await panel.getByLabel("Name").fill("");
  await panel.getByLabel("Name").fill("Mio");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard it" }).click();
  await panel.waitFor({ state: "hidden" });
  await expect.poll(() => focused(page)).toBe("New customer");
});

/** A step back that is undone at once, which is another step. */
const BACK = `new Promise((done) => {
  let steps = 0;
  addEventListener("popstate", () => ++steps === 2 && done());
  history.back();
})`;

test("what was entered into a panel is asked about before the search or the back button leads elsewhere", async () => {
  const page = await shop.open({ path: "/" });
  await page.getByRole("link", { name: "Customers", exact: true }).first().click();
  await page.getByRole("button", { name: "New customer" }).click();
  const panel = page.getByRole("dialog", { name: "New customer" });
  await panel.getByLabel("Name").fill("Mio");
  const question = page.getByRole("dialog", { name: "Close without saving?" });
  const search = async (text: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill(text);
    await page.getByRole("option", { name: text }).first().waitFor();
    await page.keyboard.press("Enter");
    await question.waitFor();
  };
  await search("Ledger");
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  for (const steps of [["back"], ["back", "forward"], ["back", "back"]]) {
    for (const step of steps) {
      await page.evaluate(step === "back" ? BACK : `history.${step}()`);
      await question.waitFor();
    }
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    expect(await panel.getByLabel("Name").inputValue()).toBe("Mio");
    expect(new URL(page.url()).search).toBe("?panel=new");
  }
  await search("Ledger");
  await question.getByRole("button", { name: "Discard it" }).click();
  await page.getByRole("heading", { level: 1, name: "Ledger" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("a page that is gone to by a link in the page before has the focus on its title", async () => {
  const page = await shop.open({ path: "/customers" });
  await tabTo(page, "Kei Mori");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Kei Mori" }).waitFor();
  await expect.poll(() => focused(page)).toBe("Kei Mori");
});

test("the menus that take the place of their buttons while one of these has the focus have it, too", async () => {
  const page = await shop.open({ path: "/orders" });
  const { promise, resolve: load } = Promise.withResolvers<void>();
  await page.route("**/list-menus-*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await page.reload({ waitUntil: "domcontentloaded" });
  const views = page.getByRole("button", { name: "Views", exact: true });
  await views.focus();
  expect(await views.getAttribute("aria-expanded")).toBe(null); // in the place of the menus
  load();
  await expect.poll(() => views.getAttribute("aria-expanded")).toBe("false");
  await expect.poll(() => focused(page)).toBe("Views");
});

test("the last page of a list keeps the focus on the button that led there", async () => {
  for (let n = 0; n < ROWS_OF_A_PAGE; n++) await makeCustomer(shop.service.deps, { email: `row-${n}@example.com` });
  const page = await shop.open({ path: "/customers" });
  await tabTo(page, "Next");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByRole("button", { name: "Next" }).getAttribute("aria-disabled")).toBe("true");
  await shop.settle(page);
  expect(await focused(page)).toBe("Next");
});

test("a panel of a customer gives the focus back", async () => {
  const page = await shop.open({ path: `/customers/${customer}` });
  await tabTo(page, "Adjust points");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Adjust points" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await expect.poll(() => focused(page)).toBe("Adjust points");
});

/** Composes text as a Japanese input method does, and takes it. */
async function compose(page: Page, text: string): Promise<void> {
  const inputMethod = await page.context().newCDPSession(page);
  for (let end = 1; end <= text.length; end++) {
    const part = text.slice(0, end);
    await inputMethod.send("Input.imeSetComposition", { text: part, selectionStart: end, selectionEnd: end });
  }
  await inputMethod.send("Input.insertText", { text });
}

test("points and codes are taken as a Japanese input method types digits", async () => {
  const page = await shop.open({ path: `/customers/${customer}/adjust`, language: "ja", role: "support" });
  const panel = page.getByRole("dialog");
  const amount = panel.getByRole("textbox", { name: "ポイント数" });
  await amount.focus();
  await compose(page, "１２００");
  await page.keyboard.press("Tab");
  expect(await amount.inputValue()).toBe("1,200");
  await amount.fill("12x");
  await panel.getByText("整数を入力してください。").waitFor();

  const account = await shop.open({ path: "/account", language: "ja", role: "support" });
  await account.getByRole("button", { name: "有効にする" }).click();
  const code = account.getByRole("textbox", { name: "6桁の認証コード" });
  await code.focus();
  await compose(account, "１２３４５６");
  expect(await code.inputValue()).toBe("123456");
});

test("Enter that ends a composition narrows no list", async () => {
  const page = await shop.open({ path: "/ledger?customer=nobody", language: "ja" });
  const filter = page.getByLabel("会員IDまたはメール");
  await filter.focus();
  await filter.fill("");
  await compose(page, "佐倉");
  const before = page.url();
  const inputMethod = await page.context().newCDPSession(page);
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 } as const;
  await inputMethod.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await shop.settle(page);
  expect(page.url()).toBe(before);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("customer") === "佐倉");
});
