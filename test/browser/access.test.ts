import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStaff } from "../../src/staff/create-staff.ts";
import { endConfirmations, STAFF_PASSWORD, tokenOfLink } from "../support/staff.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

/** Many steps, each looked at. */
const LONG_MS = 300_000;
let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false, program: { store: { name: "花屋 Hanaya", time_zone: "Asia/Tokyo" } } });
  await shop.as("owner");
  shop.service.clock.advance({ seconds: 1 });
});
afterAll(() => shop?.stop());

async function invite(email: string, name: string): Promise<string> {
  const owner = await shop.as("owner");
  const answer = await owner.post("/people", { email, name, role: "manager" });
  return tokenOfLink(answer.body.data.link);
}

async function choose(page: Page, label: string, button: string, password: string): Promise<void> {
  await page.getByRole("textbox", { name: label }).fill(password);
  await page.getByRole("button", { name: button }).click();
}

test(
  "an invited person chooses a password behind the link, which stays out of the address and works once",
  async () => {
    const token = await invite("hanako@store.example", "山田 花子");
    const page = await shop.open({ path: `/invitation#${token}`, role: null });
    shop.expectStatus(page, 404, 422);
    await page.getByRole("heading", { name: "Welcome, 山田 花子" }).waitFor();
    expect(page.url()).not.toContain(token);
    await shop.look(page, "invitation");
    await choose(page, "New password", "Choose this password", "short");
    await page.getByText("xpected 12 to 200 characters").waitFor();
    await choose(page, "New password", "Choose this password", STAFF_PASSWORD);
    await page.getByRole("heading", { name: "Home", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/admin\/?$/);

    const again = await shop.open({ path: "/invitation", role: null, language: "ja", width: 360 });
    shop.expectStatus(again, 404);
    await again.goto(`${shop.service.url}/admin/invitation#${token}`);
    await again.getByRole("heading", { name: "このリンクは使用できません" }).waitFor();
    await shop.look(again, "invitation-over-ja-narrow");
    await again.getByRole("link", { name: "ログイン画面へ" }).click();
    await again.getByRole("heading", { name: "ログイン" }).waitFor();

    const japanese = await shop.open({
      path: `/invitation#${await invite("taro@store.example", "佐藤 太郎")}`,
      role: null,
      language: "ja",
      colorScheme: "dark",
    });
    await japanese.getByRole("heading", { name: "ようこそ、佐藤 太郎さん" }).waitFor();
    await shop.look(japanese, "invitation-ja-dark");
  },
  LONG_MS,
);

test(
  "whoever signs in with a made password chooses another before anything else",
  async () => {
    const email = "made@store.example";
    const made = await createStaff(shop.service.deps, { email, name: "Made", role: "viewer" });
    const page = await shop.open({ path: "/customers", role: null });
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(made.madePassword ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Choose your password" }).waitFor();
    await shop.look(page, "choose-password");
    await page.reload();
    await page.getByRole("button", { name: "日本語" }).click();
    await shop.look(page, "choose-password-ja");
    await choose(page, "新しいパスワード", "このパスワードに設定", STAFF_PASSWORD);
    await page.getByRole("heading", { name: "会員" }).waitFor();
  },
  LONG_MS,
);

test(
  "what matters most asks for the password in a dialog, and goes on by itself",
  async () => {
    const page = await shop.open({ path: "/credentials", role: "owner" });
    await endConfirmations(shop.service);
    shop.expectStatus(page, 403, 422);
    await page.getByRole("button", { name: "New credential" }).click();
    await page.getByLabel("Name").fill("till");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm it is you" });
    await dialog.getByRole("textbox", { name: "Password" }).fill("not the password");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.getByText("is not your current password").waitFor();
    await shop.look(page, "step-up");
    await dialog.getByRole("textbox", { name: "Password" }).fill(STAFF_PASSWORD);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByText(/^pk_/).first().waitFor();
    await dialog.waitFor({ state: "detached" });

    const japanese = await shop.open({ path: "/people", role: "owner", language: "ja", width: 360 });
    shop.expectStatus(japanese, 403);
    await endConfirmations(shop.service);
    await japanese.getByRole("button", { name: "スタッフを招待" }).click();
    await japanese.getByLabel("お名前").fill("鈴木");
    await japanese.getByLabel("メールアドレス").fill("suzuki@store.example");
    await japanese.getByRole("button", { name: "招待する" }).click();
    await japanese.getByRole("dialog", { name: "ご本人の確認" }).waitFor();
    await shop.look(japanese, "step-up-ja-narrow");
    await japanese.getByRole("dialog", { name: "ご本人の確認" }).getByRole("button", { name: "キャンセル" }).click();
    await japanese.getByText("ご本人の確認が必要です").waitFor();
    expect((await (await shop.as("owner")).get("/people")).text).not.toContain("suzuki@store.example");
  },
  LONG_MS,
);

test(
  "an owner is told who changed whose access, until it is dismissed",
  async () => {
    const owner = await shop.as("owner");
    const token = await invite("aoki@store.example", "青木");
    expect(token).toHaveLength(43);
    const uid = (await owner.get("/people")).body.data.find((one: { name: string }) => one.name === "青木").uid;
    for (const [path, method] of [
      [`/people/${uid}/totp`, "delete"],
      [`/people/${uid}/disable`, "post"],
      [`/people/${uid}/enable`, "post"],
    ] as const) {
      shop.service.clock.advance({ seconds: 1 });
      await owner[method](path);
    }
    await owner.put(`/people/${uid}`, { role: "owner" });
    const page = await shop.open({ path: "/people", role: "owner" });
    const notices = page.getByRole("region", { name: "Access changes" });
    await notices.getByText(/made 青木 Owner/).waitFor();
    await shop.look(page, "access-notices");
    const count = await notices.getByRole("listitem").count();
    expect(count).toBe(3);
    await notices.getByRole("button", { name: /more$/ }).click();
    await notices.getByText(/turned off two-step sign-in for 青木/).waitFor();
    await notices.getByRole("button", { name: "Dismiss", exact: true }).first().click();
    await notices.getByText(/made 青木 Owner/).waitFor({ state: "detached" });
    const japanese = await shop.open({ path: "/", role: "owner", language: "ja", width: 360, colorScheme: "dark" });
    await japanese.getByRole("region", { name: "アクセス権の変更" }).waitFor();
    await shop.look(japanese, "access-notices-ja-narrow");
    await japanese.getByRole("button", { name: "すべて確認済みにする" }).click();
    await japanese.getByRole("region", { name: "アクセス権の変更" }).waitFor({ state: "detached" });
    const manager = await shop.open({ path: "/customers", role: "manager" });
    expect(await manager.getByRole("region", { name: "Access changes" }).count()).toBe(0);
  },
  LONG_MS,
);

test(
  "somebody whose role must have a second factor turns it on before anything else",
  async () => {
    const strict = await startDashboard({ worker: false, config: { secondFactorRoles: ["manager"] } });
    const page = await strict.open({ path: "/customers", role: "manager", language: "ja" });
    await page.getByRole("heading", { name: "2段階認証の設定" }).waitFor();
    await strict.look(page, "totp-needed-ja");
    await page.getByRole("button", { name: "有効にする" }).click();
    const secret = ((await page.getByText(/^([A-Z2-7]{4} ){5,}[A-Z2-7]{4}$/).textContent()) ?? "").replaceAll(" ", "");
    const code = new TOTP({ secret }).generate({ timestamp: Date.now() }); // a telephone knows no other time
    await page.getByRole("textbox", { name: "6桁の認証コード" }).fill(code);
    await page.getByRole("textbox", { name: "現在のパスワード" }).fill(STAFF_PASSWORD);
    await page.getByRole("button", { name: "確認", exact: true }).click();
    await page.getByRole("heading", { name: "会員", exact: true }).waitFor();
    await strict.stop();
  },
  LONG_MS,
);
