import { afterAll, beforeAll, expect, test } from "vitest";
import { squarePng } from "../support/png.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ worker: false });
});
afterAll(() => shop?.stop());

const GREEN = [11, 110, 79] as const;

test("a manager gives the dashboard the store's colour and logo, and takes them back", async () => {
  const page = await shop.open({ path: "/appearance", role: "manager" });
  const color = page.getByRole("textbox", { name: "Colour of buttons and links" });
  await color.fill("#ffd000");
  await page.getByText("Too light").waitFor();
  await color.fill("#0b6e4f");
  await page.getByText(/6\.2 : 1\. Readable/).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.mouse.move(0, 0); // a button below the pointer has the colour of hovering
  const filled = () =>
    page.evaluate<string>("getComputedStyle(document.querySelector('main button[type=submit]')).backgroundColor");
  await expect.poll(filled).toBe(`rgb(${GREEN.join(", ")})`);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: squarePng(64, GREEN) });
  await page.getByRole("img", { name: "The logo" }).waitFor();
  await shop.look(page, "appearance");
  const dark = await shop.open({ path: "/orders", role: "viewer", colorScheme: "dark" });
  await shop.look(dark, "appearance-dark");
  await page.getByRole("button", { name: "Use the dashboard's colour" }).click();
  await page.getByRole("button", { name: "Use the dashboard's colour" }).waitFor({ state: "detached" });
  await expect.poll(filled).not.toBe(`rgb(${GREEN.join(", ")})`);
});

test("in Japanese on a telephone a file that is no picture is refused in words", async () => {
  const page = await shop.open({ path: "/appearance", role: "manager", language: "ja", width: 360 });
  shop.expectStatus(page, 422);
  const file = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText("PNG画像を選択してください").waitFor();
  await shop.look(page, "appearance-ja-360");
});
