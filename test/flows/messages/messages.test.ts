import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendMessages } from "../../../src/messages/send-messages.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { type ReadMail, readMails, sendWaitingMails } from "../../support/mails.ts";
import { type MessageStory, startMessageStory, addressesOf as to } from "../../support/message-story.ts";
import type { TestService } from "../../support/service.ts";
import type { SmtpServer } from "../../support/smtp.ts";

let story: MessageStory;
let service: TestService;
let smtp: SmtpServer;
beforeEach(async () => {
  story = await startMessageStory();
  ({ service, smtp } = story);
});
afterEach(() => story.stop());

const customer: MessageStory["customer"] = (...args) => story.customer(...args);
const give: MessageStory["give"] = (...args) => story.give(...args);
const place: MessageStory["place"] = (...args) => story.place(...args);
const turn: MessageStory["turn"] = (...args) => story.turn(...args);
const run: MessageStory["run"] = () => story.run();
const days: MessageStory["days"] = (count) => story.days(count);

describe("a reminder of points that expire", () => {
  test("is off at first; is sent once, the set number of days before, with the points and the last day", async () => {
    await customer("1");
    await give("1", 300);
    days(25);
    expect(await run()).toEqual([]);
    service.clock.set("2026-03-01T03:00:00Z");
    await turn("expiry_reminder", true, 7);
    expect(await run()).toEqual([]);
    service.clock.set("2026-03-26T03:00:00Z"); // the points are gone on 2 April
    const [mail, ...more] = await run();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("Your points expire soon");
    expect(mail?.text).toContain("300 of your points at 茶店 Tea expire on 2 April 2026");
    expect(mail?.text).toContain("up to and including 1 April 2026");
    expect(mail?.text).toContain("Hello Hana 1,");
    for (let n = 0; n < 6; n++) {
      expect(await run()).toEqual([]);
      days(1);
    }
    service.clock.set("2026-03-20T03:00:00Z"); // the clock goes back
    expect(await run()).toEqual([]);
    expect(await run()).toEqual([]);
  });

  test("waits for the hour of the day", async () => {
    await turn("expiry_reminder", true, 7);
    await customer("1");
    await give("1", 300);
    service.clock.set("2026-03-25T23:59:00Z"); // 08:59 on the 26th
    expect(await run()).toEqual([]);
    service.clock.set("2026-03-26T00:00:00Z");
    expect(await run()).toHaveLength(1);
  });

  test("is about all that expires within a week of its date, and the next one a week on", async () => {
    await turn("expiry_reminder", true, 7);
    await customer("1");
    for (let n = 0; n < 10; n++) {
      await give("1", 10);
      days(1);
    }
    const mails: ReadMail[] = [];
    service.clock.set("2026-03-20T03:00:00Z");
    for (let n = 0; n < 24; n++) {
      mails.push(...(await run()));
      days(1);
    }
    expect(mails.map(({ text }) => /^(\d+) of your points .* expire on (\d+ \w+)/m.exec(text)?.slice(1))).toEqual([
      ["70", "2 April"],
      ["30", "9 April"],
    ]);
  });

  test("of points with a date of their own, of sliding ones and of a changed delay is sent once for each date", async () => {
    await turn("expiry_reminder", true, 7);
    await customer("1");
    await give("1", 5, { expires_at: "2026-03-09" });
    expect(await run()).toEqual([]);
    days(2);
    expect(await run()).toMatchObject([{ text: expect.stringContaining("5 of your points") }]);
    const apply = (delay: number, mode: string) =>
      applyProgram(service.deps, {
        document: { expiration: { delay_months: delay, mode } },
        author: "test",
        isDryRun: false,
      });
    await customer("2");
    await give("2", 40);
    await apply(2, "sliding");
    service.clock.set("2026-04-27T03:00:00Z");
    expect(to(await run())).toEqual(["2@example.com"]);
    await give("2", 1); // they live on
    service.clock.set("2026-05-05T03:00:00Z");
    expect(await run()).toEqual([]);
    service.clock.set("2026-06-21T03:00:00Z");
    expect(await run()).toMatchObject([{ text: expect.stringContaining("41 of your points") }]);
  });

  test("is sent to who was active twice in a few days, and then no more", async () => {
    const document = { expiration: { delay_months: 2, mode: "sliding" } };
    await applyProgram(service.deps, { document, author: "test", isDryRun: false });
    await turn("expiry_reminder", true, 14);
    await customer("1");
    await give("1", 10);
    days(3);
    await give("1", 5);
    const mails: ReadMail[] = [];
    service.clock.set("2026-04-15T03:00:00Z");
    for (let n = 0; n < 25; n++) {
      mails.push(...(await run()));
      days(1);
    }
    expect(mails.map(({ text }) => /^(\d+) of your points .* expire on (\d+ \w+)/m.exec(text)?.slice(1))).toEqual([
      ["15", "5 May"],
    ]);
  });
});

describe("messages", () => {
  test("go to nobody who has not consented, has no address, is disabled or has ended them", async () => {
    await turn("tier_reached", true);
    await customer("1", { accepts_marketing: false });
    await customer("2", { accepts_marketing: null });
    await customer("3", { email: null });
    await customer("4", { account_enabled: false });
    await customer("5");
    for (const id of ["1", "2", "3", "4", "5"]) await place(id, "Gold");
    const mails = await run();
    expect(to(mails)).toEqual(["5@example.com"]);
    expect(mails[0]).toMatchObject({ subject: "You have reached Gold" });
  });

  test("of a tier are sent for a way up that still holds, once a day", async () => {
    await turn("tier_reached", true);
    for (const id of ["1", "2", "3"]) await customer(id);
    await place("1", "Gold");
    await place("1", "Silver");
    await place("2", "Silver");
    await place("3", "Gold");
    await place("3", "Silver");
    await place("3", "Gold");
    expect((await run()).map((mail) => [mail.to, mail.subject]).sort()).toEqual([
      ["2@example.com", "You have reached Silver"],
      ["3@example.com", "You have reached Gold"],
    ]);
    await place("3", "Bronze");
    await place("3", "Gold");
    expect(await run()).toEqual([]);
    days(1);
    await place("3", "Bronze");
    await place("3", "Gold");
    expect(to(await run())).toEqual(["3@example.com"]);
  });

  test("of a birthday are sent on its day, once a year however the date changes", async () => {
    await turn("birthday", true);
    await customer("1", { birthday: "1990-03-02" });
    await customer("2", { birthday: "--03-01" });
    expect(to(await run())).toEqual(["2@example.com"]);
    days(1);
    expect(to(await run())).toEqual(["1@example.com"]);
    await customer("1", { birthday: "1990-03-05" });
    days(3);
    expect(await run()).toEqual([]);
    service.clock.set("2027-03-05T03:00:00Z");
    expect(to(await run())).toEqual(["1@example.com"]);
    await customer("3", { birthday: "1990-03-07" });
    days(5); // the service was down for days: that birthday is over
    expect(await run()).toEqual([]);
  });

  test("of a month have what happened in it, and nothing is sent to who had no change", async () => {
    await turn("statement", true);
    expect(await run()).toEqual([]);
    await customer("1", { locale: "ja-JP", name: "山田 花子" });
    await customer("2");
    await give("1", 500);
    await give("1", -120);
    days(32);
    await give("2", 7);
    const [mail, ...more] = await run();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: "1@example.com", subject: "2026年3月のポイント明細" });
    expect(mail?.text).toContain("山田 花子様");
    expect(mail?.text).toContain("獲得：500ポイント\n利用：120ポイント");
    expect(await run()).toEqual([]);
  });

  test("go on after a clock that was ahead, and what it sent is not sent again", async () => {
    for (const kind of ["birthday", "statement", "expiry_reminder"] as const) await turn(kind, true, 7);
    await customer("1", { birthday: "1990-03-03" });
    await give("1", 300);
    service.clock.set("2027-06-15T03:00:00Z");
    await run();
    service.clock.set("2026-03-01T03:00:00Z");
    expect(await run()).toEqual([]);
    await customer("2", { birthday: "1990-03-02" });
    await give("2", 40);
    days(1);
    expect(to(await run())).toEqual(["2@example.com"]);
    service.clock.set("2026-03-26T03:00:00Z");
    expect(to(await run())).toContain("2@example.com"); // its points expire
    service.clock.set("2026-04-02T03:00:00Z");
    expect(to(await run())).toContain("2@example.com"); // what happened in March
  });

  test("have what customers are called escaped, and no name makes a link", async () => {
    await turn("tier_reached", true);
    await customer("1", { name: "<b>Hana</b> & {points}" });
    await customer("2", { name: "Win at https://evil.example" });
    await place("1", "Gold");
    await place("2", "Gold");
    const [first, second] = (await run()).sort((a, b) => (a.to < b.to ? -1 : 1));
    expect(first?.html).toContain("Hello &lt;b&gt;Hana&lt;/b&gt; &amp; {points},");
    expect(second?.text).toContain("Hello there,");
    expect(second?.raw).not.toContain("evil");
  });

  test("keep the pace that is set, and go on from where they were", async () => {
    await turn("birthday", true);
    for (let n = 0; n < 30; n++) await customer(String(n), { birthday: "1990-03-01" });
    const queued = async (budget: number) => {
      await service.deps.db.execute("update message_pace set budget = $1, budget_at = clock_timestamp()", [budget]);
      return await sendMessages(service.deps);
    };
    expect(await queued(12)).toBe(12);
    expect(await queued(0)).toBe(0);
    expect(await queued(100)).toBe(18);
    expect(await queued(100)).toBe(0);
    await sendWaitingMails(service.deps);
    expect(new Set(to(readMails(smtp))).size).toBe(30);
    expect(smtp.mails).toHaveLength(30);
  });
});
