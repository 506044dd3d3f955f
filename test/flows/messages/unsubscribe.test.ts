import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { selectCustomers } from "../../../src/customers/customer-queries.ts";
import { sendMessages } from "../../../src/messages/send-messages.ts";
import { erasePerson } from "../../../src/privacy/erase-person.ts";
import { mergeInto } from "../../support/customers.ts";
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
const place: MessageStory["place"] = (...args) => story.place(...args);
const turn: MessageStory["turn"] = (...args) => story.turn(...args);
const run: MessageStory["run"] = () => story.run();
const days: MessageStory["days"] = (count) => story.days(count);

describe("a customer who ends messages", () => {
  const linkOf = (mail: ReadMail | undefined) =>
    /List-Unsubscribe: <([^>]+)>/
      .exec(mail?.raw.replaceAll("\r\n ", " ") ?? "")?.[1]
      ?.replace("https://points.example", "") ?? "";
  const visit = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init);
  const oneClick = (path: string) =>
    visit(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
  const reach = async (id: string) => {
    days(1);
    await place(id, "Bronze");
    await place(id, "Gold");
    return await run();
  };

  test("does so by one click or the page's button, and never by a GET", async () => {
    await turn("tier_reached", true);
    await customer("1");
    const [mail] = await reach("1");
    expect(mail?.raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const link = linkOf(mail);
    expect(mail?.text).toContain(link);
    const page = await visit(link);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain('<form method="post">');
    expect((await visit(link, { method: "HEAD" })).status).toBe(200);
    expect(to(await reach("1"))).toEqual(["1@example.com"]);
    const done = await oneClick(link);
    expect(done.status).toBe(200);
    expect(await done.text()).toContain("no more mails");
    expect((await oneClick(link)).status).toBe(200);
    expect(await reach("1")).toEqual([]);
    const { body } = await service.client.get("/api/storefront/customers/1");
    expect(body.data.accepts_marketing).toBe(true); // the platform's consent is not ours to change
    const forged = `${link.slice(0, 20)}${link[20] === "A" ? "B" : "A"}${link.slice(21)}`;
    expect([(await visit(forged)).status, (await oneClick(forged)).status]).toEqual([404, 404]);
    expect((await oneClick("/unsubscribe/example?lang=ja")).status).toBe(404);
  });

  test("gets none again until a consent that is later, whatever else is written of them", async () => {
    await turn("tier_reached", true);
    await customer("1");
    const link = linkOf((await reach("1"))[0]);
    await oneClick(link);
    await customer("1", { name: "Other" });
    await customer("1", { consent_updated_at: "2026-02-01T00:00:00Z" });
    expect(await reach("1")).toEqual([]);
    await customer("1", { consent_updated_at: service.clock.now().toString() });
    expect(to(await reach("1"))).toEqual(["1@example.com"]);
    await oneClick(link);
    expect(await reach("1")).toEqual([]);
    await customer("2", { email: "1@example.com" });
    expect(await reach("2")).toEqual([]); // the same address
    await customer("1", { accepts_marketing: false });
    await customer("1", { accepts_marketing: true });
    expect(to(await reach("1"))).toEqual(["1@example.com"]);
  });

  test("or takes back the consent, is merged or erased, gets none of those that wait", async () => {
    await turn("tier_reached", true);
    for (const id of ["1", "2", "3", "4", "5"]) {
      await customer(id);
      await place(id, "Gold");
    }
    await service.deps.db.execute("update message_pace set budget = 1000");
    expect(await sendMessages(service.deps)).toBe(5);
    await customer("1", { accepts_marketing: false });
    await customer("2", { email: "new@example.com" });
    await mergeInto(service.deps, "3", "4");
    const [five] = await service.deps.db.query<{ bucket: number; customerUid: string }>(
      `select bucket, customer_uid as "customerUid" from customer where storefront_id = '5'`,
    );
    const rows = await selectCustomers(service.deps.db, five === undefined ? [] : [five]);
    await service.deps.db.tx((tx) => erasePerson(tx, service.deps, { rows, orderIds: [], emails: [] }));
    await sendWaitingMails(service.deps);
    expect(to(readMails(smtp))).toEqual(["4@example.com"]);
    const states = await service.deps.db.query("select recipient, state from mail order by recipient");
    expect(states).toEqual([
      { recipient: "1@example.com", state: "withdrawn" },
      { recipient: "2@example.com", state: "withdrawn" },
      { recipient: "3@example.com", state: "withdrawn" },
      { recipient: "4@example.com", state: "sent" },
    ]);
    expect(
      await service.deps.db.query("select from message_sent where customer_uid = $1", [five?.customerUid ?? ""]),
    ).toEqual([]);
  });

  test("and is merged: the other one has ended them too, and is sent nothing twice", async () => {
    await turn("birthday", true);
    await customer("1", { birthday: "1990-03-01" });
    const [mail] = await run();
    await customer("2", { birthday: "1990-03-01" });
    await mergeInto(service.deps, "1", "2");
    await service.deps.db.execute("update message_run set done_on = '2026-02-28'");
    expect(await run()).toEqual([]); // the one they are now was congratulated
    service.clock.set("2027-03-01T03:00:00Z");
    expect(to(await run())).toEqual(["2@example.com"]);
    await oneClick(linkOf(mail)); // the old link is of the person
    service.clock.set("2028-03-01T03:00:00Z");
    expect(await run()).toEqual([]);
  });
});
