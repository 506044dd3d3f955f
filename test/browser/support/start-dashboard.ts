import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { Role } from "../../../src/wire/access.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../../support/service.ts";
import { type AdminClient, signIn } from "../../support/staff.ts";
import { buildDashboard } from "./build-dashboard.ts";
import { launchChromium } from "./launch-chromium.ts";
import { lookAt } from "./look.ts";
import { settle } from "./settle.ts";
import { type PageWatch, watchPage } from "./watch-page.ts";

export interface OpenOptions {
  /** Below `/admin`, with its query: `/customers?q=tanaka`. */
  readonly path: string;
  /** Whose session the page has; null: nobody's. The manager's when absent. */
  readonly role?: Role | null;
  /** The browser's language; English when absent. */
  readonly language?: "en" | "ja";
  /** Pixels; 1280 by 800 when absent. */
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
}

/** The service with its dashboard, and a browser that looks at it. */
export interface Dashboard {
  readonly service: TestService;
  /** A client of the admin API with the session that pages of this role have. */
  as(role: Role): Promise<AdminClient>;
  /** A page in a browser's profile of its own, at rest, until the test ends. Its clock stands where the service's does. */
  open(options: OpenOptions): Promise<Page>;
  /** Goes to another path as a link does, and waits until the page is at rest: the code that is loaded stays, so this costs far less than `open`. */
  go(page: Page, path: string): Promise<void>;
  /** Waits until the page is at rest, keeps its picture and throws what is wrong with it: see `lookAt`. */
  look(page: Page, name: string): Promise<void>;
  /** Waits until everything that the page asked for is there and nothing moves. */
  settle(page: Page): Promise<void>;
  /** Answers of these statuses are meant: `look` does not hold them against the page. */
  expectStatus(page: Page, ...statuses: number[]): void;
  stop(): Promise<void>;
}

const LOCALES = { en: "en-US", ja: "ja-JP" };
/** Far from every store's zone: times that a page shows in the browser's own zone are seen to be wrong. */
const BROWSER_ZONE = "America/Los_Angeles";
/** A page then loads its own code alone: those of all the others, at every opening, took a large part of the suite's processor time. */
const SAVE_DATA = `Object.defineProperty(Navigator.prototype, "connection", { get: () => ({ saveData: true }) })`;
/** A page waits for an answer of the service, not for a person. */
const PATIENCE_MS = 30_000;

/** The real service in this process with the built dashboard, and one Chromium. Call once a file, in `beforeAll`. */
export async function startDashboard(options: TestServiceOptions = {}): Promise<Dashboard> {
  await buildDashboard();
  const [browser, service] = await Promise.all([launchChromium(), startTestService(options)]);
  const sessions = new Map<Role, Promise<AdminClient>>();
  const watches = new WeakMap<Page, PageWatch>();

  function as(role: Role): Promise<AdminClient> {
    const session = sessions.get(role) ?? signIn(service, role);
    sessions.set(role, session);
    return session;
  }
  async function open(wanted: OpenOptions): Promise<Page> {
    const context = await openContext(browser, service, wanted);
    onTestFinished(() => context.close()); // a page that is left open goes on asking for what it shows
    const role = wanted.role === undefined ? "manager" : wanted.role;
    if (role !== null) await giveSession(context, service, await as(role));
    const page = await context.newPage();
    watches.set(page, watchPage(page, new URL(service.url).origin));
    await page.goto(`${service.url}/admin${wanted.path}`);
    await settle(page, watchOf(page));
    return page;
  }
  function watchOf(page: Page): PageWatch {
    const watch = watches.get(page);
    if (watch === undefined) throw new Error("the page was not opened by this dashboard");
    return watch;
  }
  return {
    service,
    as,
    open,
    go: async (page, path) => {
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/admin${path}`)})`);
      await settle(page, watchOf(page));
    },
    look: (page, name) => lookAt(page, watchOf(page), name),
    settle: (page) => settle(page, watchOf(page)),
    expectStatus: (page, ...statuses) => {
      for (const status of statuses) watchOf(page).expected.add(status);
    },
    stop: async () => {
      await browser.close();
      await service.stop();
    },
  };
}

async function openContext(browser: Browser, service: TestService, wanted: OpenOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: wanted.width ?? 1280, height: wanted.height ?? 800 },
    locale: LOCALES[wanted.language ?? "en"],
    timezoneId: BROWSER_ZONE,
    colorScheme: wanted.colorScheme ?? "light",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(SAVE_DATA);
  await context.clock.setFixedTime(service.clock.now().epochMilliseconds);
  return context;
}

/** Puts the session's cookie where a browser that signed in by the form would have it. */
async function giveSession(context: BrowserContext, service: TestService, { cookie }: AdminClient): Promise<void> {
  const [name = "", value = ""] = cookie.split("=", 2);
  const { hostname } = new URL(service.url);
  await context.addCookies([{ name, value, domain: hostname, path: "/admin", httpOnly: true, sameSite: "Strict" }]);
}
