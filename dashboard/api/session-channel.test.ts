import { expect, onTestFinished, test } from "vitest";
import { openSessionChannel, type SessionChannel } from "./session-channel.ts";

const TABS = 10;
/** Longer than messages are collected. */
const REST_MS = 200;
const rest = () => new Promise((resolve) => setTimeout(resolve, REST_MS));

interface Browser {
  readonly tabs: readonly SessionChannel[];
  /** What the service answers. */
  session: string;
  reads: number;
}

/** Tabs of one browser that show the same session. */
async function openBrowser(name: string): Promise<Browser> {
  const tabs: SessionChannel[] = [];
  const browser = { tabs, session: "hana", reads: 0 };
  for (let at = 0; at < TABS; at++) {
    const tab = openSessionChannel(name, () => {
      browser.reads++;
      tab.publish(browser.session);
    });
    onTestFinished(() => tab.close());
    tab.publish(browser.session);
    tabs.push(tab);
  }
  await rest();
  return browser;
}

test("each of the other tabs reads the session once when it changes in one of them", async () => {
  const browser = await openBrowser("changes");
  expect(browser.reads).toBe(0);
  for (const [at, session] of ["null", "ken", "null", "hana"].entries()) {
    browser.session = session;
    browser.reads = 0;
    browser.tabs[at]?.publish(session);
    await expect.poll(() => browser.reads, { message: session }).toBe(TABS - 1);
    await rest();
    expect(browser.reads, session).toBe(TABS - 1);
  }
});

test("tabs that notice an ended session by themselves do not read it again", async () => {
  const browser = await openBrowser("ends");
  browser.session = "null";
  for (const tab of browser.tabs) tab.publish("null");
  await rest();
  expect(browser.reads).toBe(0);
});
