import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startProvider, type TestProvider } from "../support/oidc-provider.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { endConfirmations, STAFF_PASSWORD, signIn } from "../support/staff.ts";
import { buildDashboard } from "./support/build-dashboard.ts";
import { focused } from "./support/keys.ts";
import { launchChromium } from "./support/launch-chromium.ts";
import { lookAt } from "./support/look.ts";
import { settle } from "./support/settle.ts";
import { watchPage } from "./support/watch-page.ts";

const LONG_MS = 300_000;

let browser: Browser;
let service: TestService;
let provider: TestProvider;
let url: string;

beforeAll(async () => {
  await buildDashboard();
  [browser, provider] = await Promise.all([launchChromium(), startProvider()]);
  service = await startTestService({
    worker: false,
    program: { store: { name: "Hanaya" } },
    config: { oidc: provider.settings() },
  });
  url = `http://localhost:${new URL(service.url).port}`;
  Object.assign(service.deps.config, { publicUrl: url }); // the port is known by now; browsers take no passkeys at 127.0.0.1
  provider.allow(`${url}/admin/api/session/oidc/callback`);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await provider?.stop();
});

interface Opened {
  readonly page: Page;
  look(name: string): Promise<void>;
  at(): Promise<void>;
}

async function open(path: string, options: { language?: "en-US" | "ja-JP"; width?: number } = {}): Promise<Opened> {
  const { language = "en-US", width = 1_280 } = options;
  const context = await browser.newContext({
    locale: language,
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const watch = watchPage(page, url, [new URL(provider.issuer).origin]);
  for (const status of [401, 403]) watch.expected.add(status);
  await page.goto(`${url}/admin${path}`);
  return { page, look: (name) => lookAt(page, watch, name), at: () => settle(page, watch) };
}

/** Who is signed in at the provider, in one of its groups. */
function hanaIs(group: string): void {
  const person = { sub: "hana", email: "hana@store.example", email_verified: true, name: "Hana Mori", groups: [group] };
  provider.accounts.set("hana", person);
  provider.who = "hana";
}

/** Chromium's own authenticator, with a fingerprint that always fits. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function enter(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").first().fill(STAFF_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** A confirmation appears before new codes replace old ones; here it is cancelled. */
async function askForNewCodes({ page, look }: Pick<Opened, "page" | "look">): Promise<void> {
  await page.getByRole("button", { name: "Make new codes" }).click();
  await page.getByText("The 10 codes that you still have no longer work then.").waitFor();
  await look("account-new-codes");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
}

/** The name has the focus, and a double click adds one. */
async function addPasskey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect.poll(() => focused(page)).toMatch(/^Name/);
  await page.keyboard.type("Office laptop");
  await page.getByRole("button", { name: "Continue" }).dblclick();
  await page.getByText("Passkey added").waitFor();
  await page.getByText("Office laptop").waitFor();
}

/** The device has the passkey already: it makes no second one. */
async function addAgain(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").last().fill("Office laptop again");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("This device already has a passkey of this account.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(await page.getByRole("button", { name: /^Remove the passkey/ }).count()).toBe(1);
}

async function rename(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole("button", { name: `Rename the passkey ${from}` }).click();
  await page.getByLabel("Name").last().fill(to);
  await page.getByRole("button", { name: "Save" }).last().click();
  await page.getByRole("button", { name: `Rename the passkey ${to}` }).waitFor();
}

async function leave(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

test(
  "a passkey is added, signs in alone and beside the password, and confirms",
  async () => {
    const owner = await signIn(service, "owner");
    const [row] = await service.deps.db.query<{ name: string }>("select name from staff where uid = $1", [owner.uid]);
    const name = row?.name ?? "";
    const { page, look } = await open("/account");
    await addAuthenticator(page);
    await enter(page, owner.email);
    await page.getByRole("heading", { name: "Passkeys" }).waitFor();
    await addPasskey(page);
    await addAgain(page);
    await page.getByRole("button", { name: "Make codes" }).click();
    await page.getByRole("dialog").waitFor();
    await look("account-recovery-codes");
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("10 left").waitFor();
    await askForNewCodes({ page, look });
    await rename(page, "Office laptop", "Desk");
    await look("account-passkey-renamed");
    await rename(page, "Desk", "Office laptop");
    await look("account-passkeys");
    await page.setViewportSize({ width: 360, height: 800 });
    const button = page.getByRole("button", { name: "Remove the passkey Office laptop" });
    const widths = await button.evaluate((element) => {
      const { scrollWidth, clientWidth } = element as unknown as Record<"scrollWidth" | "clientWidth", number>; // cast: runs inside the page
      return { scrollWidth, clientWidth };
    });
    expect(widths.scrollWidth).toBeLessThanOrEqual(widths.clientWidth);
    expect(Number(await page.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(360);
    await page.evaluate("scrollTo(0, 0)"); // below the bar at the top a button that is partly covered counts as too small
    await look("account-passkeys-360");
    await page.setViewportSize({ width: 1280, height: 800 });

    await leave(page, name);
    await look("sign-in-ways");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("By passkey").first().waitFor();
    await leave(page, name);
    await enter(page, owner.email);
    await page.getByRole("button", { name: "Use a passkey" }).waitFor();
    await look("sign-in-second-step");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();

    await endConfirmations(service);
    await page.getByRole("button", { name: "Remove the passkey Office laptop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).dblclick();
    await page.getByRole("dialog", { name: "Confirm it is you" }).waitFor();
    await look("confirm-by-passkey");
    await page
      .getByRole("dialog", { name: "Confirm it is you" })
      .getByRole("button", { name: "Use a passkey" })
      .click();
    await page.getByText("Office laptop is removed").waitFor();
    expect(await page.getByText("no longer exists").count()).toBe(0); // as a second request would have said
    await page.context().close();
  },
  LONG_MS,
);

test(
  "the identity provider signs somebody in, at the page where they were, and confirms in another tab",
  async () => {
    hanaIs("others");
    const { page, look } = await open("/account");
    await page.getByRole("button", { name: "Sign in with Example" }).click();
    await page.getByText("Your company account has no role here.").waitFor();
    await look("sign-in-no-role");
    hanaIs("pk-owners");
    await page.getByRole("button", { name: "Sign in with Example" }).click();
    await page.getByRole("button", { name: "Hana Mori" }).waitFor();
    await page.goto(`${url}/admin/account`);
    await page.getByText("By the identity provider").waitFor();
    await look("account-identity");
    await page.goto(`${url}/admin/?oidc=state`); // the answer to an attempt of this tab, after another one signed in
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await page.evaluate(`history.pushState(null, "", "/admin/account")`);
    await page.getByText("By the identity provider").waitFor();
    expect(await page.getByText("took too long").count()).toBe(0);

    await endConfirmations(service);
    await page.goto(`${url}/admin/people`);
    await page.getByRole("button", { name: "Invite a person" }).click();
    await page.getByLabel("Name").fill("Ken");
    await page.getByLabel("E-mail").fill("ken@store.example");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm it is you" });
    const opened = page.context().waitForEvent("page");
    await dialog.getByRole("button", { name: "Sign in with Example again" }).click();
    const tab = await opened;
    await tab.getByText("Confirmed. You can close this tab.").waitFor();
    await tab.close();
    await page.bringToFront();
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByText(/\/admin\/invitation#[\w-]{43}$/).waitFor();
    await page.context().close();
  },
  LONG_MS,
);

test(
  "a sign-in that was cancelled at the provider is said once, and not under Account after another one",
  async () => {
    const owner = await signIn(service, "owner");
    provider.who = null;
    const { page } = await open("/account");
    await page.getByRole("button", { name: "Sign in with Example" }).click();
    await page.getByText("The sign-in was cancelled.").waitFor();
    await enter(page, owner.email);
    await page.getByRole("heading", { name: "Example" }).waitFor();
    expect(await page.getByText("The sign-in was cancelled.").count()).toBe(0);
    await page.context().close();
  },
  LONG_MS,
);

test(
  "where the provider alone signs people in, the account has no passkeys",
  async () => {
    hanaIs("pk-owners");
    const { oidc } = service.deps.config;
    Object.assign(service.deps.config, { oidc: { ...oidc, isOnly: true } });
    onTestFinished(() => void Object.assign(service.deps.config, { oidc }));
    const { page, look } = await open("/account");
    await page.getByRole("button", { name: "Sign in with Example" }).click();
    await page.getByRole("heading", { name: "Example" }).waitFor();
    expect(await page.getByRole("heading", { name: "Passkeys" }).count()).toBe(0);
    await look("account-provider-only");
    await page.context().close();
  },
  LONG_MS,
);

test(
  "in Japanese and narrow",
  async () => {
    hanaIs("pk-owners");
    const { page, look } = await open("/account", { language: "ja-JP", width: 360 });
    await page.getByRole("button", { name: "Exampleでログイン" }).waitFor();
    await look("sign-in-ways-ja-narrow");
    await page.getByRole("button", { name: "Exampleでログイン" }).click();
    await page
      .getByRole("heading", { name: /ホーム|アカウント/ })
      .first()
      .waitFor();
    await page.goto(`${url}/admin/account`);
    await page.getByRole("heading", { name: "パスキー" }).waitFor();
    await look("account-ways-ja-narrow");
    await page.context().close();
  },
  LONG_MS,
);

test(
  "an owner sees from where somebody is signed in, and ends it",
  async () => {
    const support = await signIn(service, "support");
    hanaIs("pk-owners");
    const { page, look } = await open("/people");
    await page.getByRole("button", { name: "Sign in with Example" }).click();
    await page.getByRole("button", { name: "Hana Mori" }).waitFor();
    await page.goto(`${url}/admin/people/${support.uid}`);
    await page.getByText("Unknown device").waitFor();
    await look("people-sessions");
    await page.getByRole("button", { name: /^End the session/ }).click();
    await page.getByText("The session has ended").waitFor();
    expect((await support.get("/home")).status).toBe(401);
    await page.context().close();
  },
  LONG_MS,
);
