import type { Locator, Page } from "playwright-core";

/** What has the focus, as a screen reader names it; an empty text where nothing has it. */
export async function focused(page: Page): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const one = document.activeElement;
    if (one === null || one === document.body) return "";
    const label = one.getAttribute("aria-label") ?? one.labels?.[0]?.innerText ?? one.innerText;
    return (label || document.getElementById(one.getAttribute("aria-labelledby"))?.innerText || "").trim();
  })()`);
}

/** What is looked for: by the beginning of its name, or itself. */
type Place = string | Locator;

/** Goes with Tab to something; where a dialog is open, once that has taken the focus. */
export async function tabTo(page: Page, place: Place): Promise<void> {
  if ((await page.getByRole("dialog").count()) > 0) await page.locator("[role=dialog]:focus-within").first().waitFor();
  for (let presses = 0; presses < 250; presses++) {
    await page.keyboard.press("Tab");
    const isThere =
      typeof place === "string"
        ? (await focused(page)).startsWith(place)
        : (await place.and(page.locator(":focus")).count()) > 0;
    if (isThere) return;
  }
  throw new Error(`Tab does not come to ${String(place)}`);
}

/** Goes with Tab to a button, a link or a box and presses it. */
export async function press(page: Page, place: Place, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.press(key);
}

/** Presses what has the focus in a dialog that asks once more. */
export async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
}

/** Goes with Tab to a field and types into it, over what stands there. */
export async function typeInto(page: Page, place: Place, text: string): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Goes with Tab to a list of choices and types the beginning of one. */
export async function choose(page: Page, place: Place, choice: string): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.type(choice);
}
