import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROLES, type Role } from "../../src/wire/access.ts";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

/** Each page with what it offers in English, and from which role on. */
const OFFERS: Readonly<Record<string, readonly (readonly [button: RegExp, least: Role])[]>> = {
  "/": [],
  "/customers": [],
  "/customers/7001": [[/^Adjust points$/, "support"]],
  "/segments": [[/^New segment$/, "support"]],
  "/ledger": [[/^Export$/, "support"]],
  "/orders": [[/^Connect the platform$/, "owner"]],
  "/approvals": [],
  "/program/tiers": [[/^Add a tier$/, "manager"]],
  "/program/campaigns": [[/^Add a campaign$/, "manager"]],
  "/results": [],
  "/liability": [],
  "/csv": [[/^New import$/, "manager"]],
  "/csv/imports/new": [[/^choose one$|^Choose a file$/i, "manager"]],
  "/csv/exports": [[/^Create statement$/, "manager"]],
  "/webhooks": [
    [/^Send failed again$/, "manager"],
    [/^Subscribe$/, "manager"],
  ],
  "/credentials": [[/^New credential$/, "owner"]],
  "/people": [[/^Invite a person$/, "owner"]],
  "/audit": [],
  "/jobs": [],
  "/intake": [],
};
/** Pages that are not everybody's. */
const LEAST: Readonly<Record<string, Role>> = { "/credentials": "owner", "/people": "owner", "/audit": "manager" };

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false, program: { staff: { approval_limit: 1_000 } } });
  await makeCustomer(shop.service.deps, { storefrontId: "7001", email: "one@example.com" });
});
afterAll(() => shop?.stop());

function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least);
}

/** Gives the person whom pages of a role are opened for another one. */
async function roleSetter(of: Role): Promise<(role: Role) => Promise<unknown>> {
  const { uid } = await shop.as(of);
  return (role) => shop.service.deps.db.execute("update staff set role = $2 where uid = $1", [uid, role]);
}

async function buttonsOf(page: Page): Promise<string[]> {
  const names = await page.getByRole("main").getByRole("button").allInnerTexts();
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

describe.each(ROLES)("%s", (role) => {
  test("each page offers what the role may do, and asks for nothing that is refused", async () => {
    const page = await shop.open({ path: "/account", role });
    const refused: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() === 403) refused.push(`${page.url()} asked ${answer.url()}`);
    });
    const wrong: string[] = [];
    for (const [path, offers] of Object.entries(OFFERS)) {
      await shop.go(page, path);
      const isOpen = isAtLeast(role, LEAST[path] ?? "viewer");
      const told = await page.getByText("Your role has no access to this page").count();
      if ((told === 0) !== isOpen) wrong.push(`${path}: ${isOpen ? "closed" : "open"}`);
      const buttons = await buttonsOf(page);
      if (!isOpen && buttons.length > 0) wrong.push(`${path}: a closed page has ${buttons.join(", ")}`);
      for (const [name, least] of offers) {
        const isThere = buttons.some((button) => name.test(button));
        if (isThere !== isAtLeast(role, least)) wrong.push(`${path}: ${name} of ${buttons.join(", ")}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toEqual([]);
  });
});

test("a page that the role may not open says so, with the way home and nothing else to press", async () => {
  const page = await shop.open({ path: "/people", role: "support", language: "ja", width: 360 });
  await page.getByText("このページを表示する権限がありません").waitFor();
  await shop.look(page, "no-right-ja-360");
  await page.getByRole("link", { name: "ホームへ" }).click();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/admin\/?$/);
});

test("the address of a form that the role may not use opens the page alone", async () => {
  const owner = await shop.as("owner");
  const { uid } = (await owner.post("/segments", { name: "Buyers", filter: { orders_min: 1 } })).body.data;
  const page = await shop.open({ role: "viewer", path: "/account" });
  for (const path of [
    ...[`/segments/${uid}?panel=points`, `/segments/${uid}?panel=tier`, `/segments/${uid}?panel=edit`, "/segments/new"],
    ...["/customers?panel=new", ...["adjust", "edit", "merge", "tier"].map((form) => `/customers/7001/${form}`)],
  ]) {
    await shop.go(page, path);
    expect(await page.getByRole("dialog").count(), path).toBe(0);
  }
});

test("a store that has received nothing says how its platform is connected", async () => {
  const page = await shop.open({ role: "owner", path: "/orders" });
  await page.getByRole("button", { name: "Connect the platform" }).click();
  const part = page.getByRole("region", { name: "Shopify" });
  await part.getByText("pointkeeper connect shopify").waitFor();
  await part.getByText(/\/intake\/shopify\/webhooks$/).waitFor();
  await part.getByText("Not connected").waitFor();
  await page.getByRole("link", { name: "Create one under Credentials" }).waitFor();
  await shop.look(page, "connect-en");
  const phone = await shop.open({ role: "viewer", path: "/intake", language: "ja", width: 360 });
  await phone.getByText("オーナーが「API認証情報」で作成します").waitFor();
  await shop.look(phone, "connect-ja-360");
  expect(Number(await phone.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(360);
});

test("who has another role by now is offered what that one allows", async () => {
  const setRole = await roleSetter("manager");
  const page = await shop.open({ role: "manager", path: "/csv/imports/new" });
  await shop.go(page, "/csv/exports");
  shop.expectStatus(page, 403);
  await setRole("viewer");
  try {
    for (const label of [/^From/, /^To/]) await page.getByLabel(label).fill("2026-01-01");
    await page.getByRole("button", { name: "Create statement" }).click();
    await page.getByText("Your role does not allow this.").waitFor();
    await page.getByRole("button", { name: "Create statement" }).waitFor({ state: "detached" });
    await page.getByText("Viewer", { exact: true }).waitFor();
  } finally {
    await setRole("manager");
  }
});

test("who may not ask for anything any more is not offered to withdraw what they asked for", async () => {
  const setRole = await roleSetter("support");
  const wanted = { request_uid: randomUUID(), point_value: 5_000 };
  const asked = await (await shop.as("support")).post("/customers/7001/adjustments", wanted);
  expect(asked.body.data.state).toBe("waiting");
  const page = await shop.open({ role: "support", path: "/approvals" });
  await page.getByRole("button", { name: "Withdraw" }).waitFor();
  await setRole("viewer");
  try {
    await page.reload();
    await page.getByText("Someone else has to decide").waitFor();
    expect(await page.getByRole("button", { name: "Withdraw" }).count()).toBe(0);
  } finally {
    await setRole("support");
  }
});
