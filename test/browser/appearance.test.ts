import { afterAll, beforeAll, expect, test } from "vitest";
import { contrastBetween } from "../../src/wire/theme.ts";
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

test("who signs in sees the logo and the colour, in both schemes, and can see what has the focus", async () => {
  const logo = squarePng(64, GREEN).toString("base64");
  await (await shop.as("manager")).put("/theme", { color: "#0b1f4b", logo });
  for (const [language, colorScheme, width] of [
    ["en", "light", 1280],
    ["en", "dark", 1280],
    ["ja", "dark", 360],
  ] as const) {
    const page = await shop.open({ path: "/", role: null, language, colorScheme, width });
    await page.locator("main img").waitFor();
    expect(await page.evaluate("document.querySelector('main img').naturalWidth")).toBe(64);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('main button[type=submit]')).backgroundColor"),
    ).toBe("rgb(11, 31, 75)");
    await page.locator("main button[type=submit]").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    const ground = String(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    const contrast = async () => {
      const ring = String(await page.evaluate("getComputedStyle(document.activeElement).outlineColor"));
      return contrastBetween(hexOf(ring), hexOf(ground));
    };
    await expect.poll(contrast).toBeGreaterThanOrEqual(3); // the ring is drawn a moment after the focus has moved
    await shop.look(page, `sign-in-theme-${language}-${colorScheme}-${width}`);
  }
  await (await shop.as("manager")).put("/theme", { color: null, logo: null });
});

test("in the lightest colour that is accepted, links of the row below the pointer can be read", async () => {
  const manager = await shop.as("manager");
  expect((await manager.put("/theme", { color: "#767676", logo: null })).status).toBe(200);
  const page = await shop.open({ path: "/audit" });
  await page
    .getByRole("row", { name: /manager/ })
    .first()
    .hover();
  await shop.look(page, "appearance-hover");
  await manager.put("/theme", { color: null, logo: null });
});

/** `rgb(11, 31, 75)` as `#0b1f4b`. */
function hexOf(rgb: string): string {
  const channels = rgb.match(/\d+/g)?.slice(0, 3) ?? [];
  return `#${channels.map((channel) => Number(channel).toString(16).padStart(2, "0")).join("")}`;
}

test("in Japanese on a telephone a file that is no picture is refused in words", async () => {
  const page = await shop.open({ path: "/appearance", role: "manager", language: "ja", width: 360 });
  shop.expectStatus(page, 422);
  const file = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText("PNG画像を選択してください").waitFor();
  await shop.look(page, "appearance-ja-360");
});
