import { expect, onTestFinished, test } from "vitest";
import { openSessionChannel, type SessionChannel } from "./session-channel.ts";

const NAME = "session-channel-test";
const TABS = 10;

test("each of the other tabs reads the session once when it changes in one of them, and sends nothing on", async () => {
  let [reads, messages, session] = [0, 0, "hana"];
  const listener = new BroadcastChannel(NAME);
  listener.onmessage = () => void messages++;
  onTestFinished(() => listener.close());
  const tabs = Array.from({ length: TABS }, () => {
    const tab: SessionChannel = openSessionChannel(NAME, () => {
      reads++;
      tab.publish(session);
    });
    onTestFinished(() => tab.close());
    tab.publish(session);
    return tab;
  });
  await expect.poll(() => messages).toBe(TABS);
  const changes = ["signed out", "ken", "signed out", "hana"];
  for (const [at, change] of changes.entries()) {
    session = change;
    tabs[at]?.publish(change);
    await expect.poll(() => reads, { message: change }).toBe((TABS - 1) * (at + 1)); // more would show at the next change
  }
  expect(messages).toBe(TABS + changes.length);
});
