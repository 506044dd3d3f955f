import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput, ShownMessage } from "../../src/admin/messages/schema.ts";
import { sendMessages } from "../../src/messages/send-messages.ts";
import { readMails, sendWaitingMails } from "../support/mails.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "../support/smtp.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let smtp: SmtpServer;
let service: TestService;
let manager: AdminClient;

beforeAll(async () => {
  smtp = await startSmtp();
  service = await startTestService({
    worker: false,
    now: "2026-03-01T03:00:00Z",
    config: { mail: smtpSettings(smtp) },
    program: { store: { name: "Tea", currency: "JPY", time_zone: "Asia/Tokyo" } },
  });
  manager = await signIn(service, "manager");
});
afterAll(async () => {
  await service?.stop();
  await smtp?.close();
});

const shown = async (): Promise<ShownMessage[]> => (await manager.get("/messages")).body.data.messages;
const input = (more: Partial<MessageInput> = {}): MessageInput => ({
  is_on: false,
  days_before: 14,
  texts: {},
  ...more,
});
const text = (subject: string, body: string) => ({ subject, text: body });

describe("the settings of messages", () => {
  test("are a manager's, and all off at first with built-in texts", async () => {
    for (const role of ["support", "viewer"] as const) {
      const person = await signIn(service, role);
      expect((await person.get("/messages")).status).toBe(403);
      expect((await person.get("/mails")).status).toBe(403);
      expect((await person.put("/messages/birthday", input())).status).toBe(403);
    }
    expect((await shown()).map(({ kind, is_on, texts }) => [kind, is_on, texts.en.is_own, texts.ja.is_own])).toEqual([
      ["expiry_reminder", false, false, false],
      ["tier_reached", false, false, false],
      ["birthday", false, false, false],
      ["statement", false, false, false],
    ]);
  });

  test("name the placeholder that is not known, and the field that is too long", async () => {
    const fault = async (texts: MessageInput["texts"]) => {
      const { body } = await manager.put("/messages/birthday", input({ texts }));
      return [body.errors[0].source.pointer, body.errors[0].detail];
    };
    expect(await fault({ en: text("Hello {nmae}", "x") })).toEqual([
      "/texts/en/subject",
      "{nmae} is not known here: use {name}, {store}, {points}, {tier}",
    ]);
    expect((await fault({ ja: text("x", "{expires_on}") }))[0]).toBe("/texts/ja/text");
    expect((await fault({ ja: text("x\ny", "z") }))[0]).toBe("/texts/ja/subject");
    expect((await fault({ en: text("x", "y".repeat(5_001)) }))[0]).toBe("/texts/en/text");
    expect((await fault({ en: text(" ", "y") }))[0]).toBe("/texts/en/subject");
    const rules = { language: "ja", send_hour: 24, hourly_max: 5 };
    expect((await manager.put("/messages", rules)).status).toBe(422);
    expect((await manager.put("/messages/nothing", input())).status).toBe(422);
  });

  test("are kept, with who changed what; a text that is the built-in one follows later releases", async () => {
    const [first] = await shown();
    const built = first?.built_in.en ?? text("", "");
    const own = text("Points of {store}", "Use {expiring_points} by {last_day}\r\n{name}");
    const answer = await manager.put(
      "/messages/expiry_reminder",
      input({ is_on: true, days_before: 30, texts: { en: built, ja: own } }),
    );
    expect(answer.status, answer.text).toBe(200);
    expect((await shown())[0]).toMatchObject({
      ...{ is_on: true, days_before: 30 },
      texts: { en: { ...built, is_own: false }, ja: { subject: "Points of {store}", is_own: true } },
    });
    await manager.put("/messages", { language: "ja", send_hour: 0, hourly_max: 5_000 });
    const owner = await signIn(service, "owner");
    const entries = (await owner.get("/audit")).body.data.map((entry: { action: string }) => entry.action);
    expect(entries).toEqual(expect.arrayContaining(["message.changed", "message_rule.changed"]));
  });

  test("cannot be turned on where no mail server is set", async () => {
    const alone = await startTestService({ worker: false });
    const person = await signIn(alone, "manager");
    const answer = await person.put("/messages/birthday", input({ is_on: true }));
    expect(answer.body.errors[0].source.pointer).toBe("/is_on");
    await alone.stop();
  });
});

describe("a message", () => {
  const preview = (more: object = {}) => ({
    ...{ language: "en", subject: "For {name}", text: "{points} points, {tier}", customer_id: null, ...more },
  });

  test("is shown as a customer would get it, and with made-up figures without one", async () => {
    const put = await service.client.put("/api/storefront/customers/7", { email: "hana@example.com", name: "Hana" });
    expect(put.status, put.text).toBeLessThan(300);
    await service.client.post("/api/storefront/point_allotments", { customer_id: "7", point_value: 1_234 });
    const real = await manager.post("/messages/birthday/preview", preview({ customer_id: "HANA@example.com" }));
    expect(real.body.data).toMatchObject({ subject: "For Hana", is_sample: false });
    expect(real.body.data.text).toContain("1,234 points");
    const made = await manager.post("/messages/statement/preview", preview({ text: "{month}: {earned}" }));
    expect(made.body.data).toMatchObject({ is_sample: true, text: expect.stringContaining("February 2026: 420") });
    expect((await manager.post("/messages/birthday/preview", preview({ customer_id: "nobody" }))).status).toBe(404);
    const wrong = await manager.post("/messages/birthday/preview", preview({ text: "{month}" }));
    expect(wrong.body.errors[0].source.pointer).toBe("/text");
  });

  test("is sent as a test to who asks for it, marked as one, with no link that unsubscribes anybody", async () => {
    const answer = await manager.post("/messages/birthday/test", preview({ customer_id: "7" }));
    expect(answer.body.data).toEqual({ to: manager.email, state: "queued" });
    await sendWaitingMails(service.deps);
    const [mail] = readMails(smtp);
    expect(mail).toMatchObject({ to: manager.email, subject: "[Test] For Hana" });
    expect(mail?.text).toContain("/unsubscribe/example");
    expect(mail?.raw).not.toContain("List-Unsubscribe");
  });

  test("tells who unsubscribed on the customer's page", async () => {
    const at = async () => (await manager.get("/customers/7")).body.data.unsubscribed_at;
    expect(await at()).toBeNull();
    await service.deps.db.execute("update customer set unsubscribed_at = $1", [service.clock.now()]);
    expect(await at()).toBe("2026-03-01T03:00:00.000000Z");
    await service.deps.db.execute("update customer set unsubscribed_at = null");
  });

  test("stands in the log beside the mails of people, by address, kind and state", async () => {
    await service.client.put("/api/storefront/customers/7", { accepts_marketing: true, birthday: "--03-01" });
    expect((await manager.put("/messages/birthday", input({ is_on: true }))).status).toBe(200);
    smtp.refuse = { code: 550, text: "no such user" };
    await sendMessages(service.deps);
    await sendWaitingMails(service.deps);
    const log = async (query: string) => (await manager.get(`/mails?${query}`)).body;
    const all = await log("");
    expect(all.data.map(({ about, state }: { about: string; state: string }) => [about, state])).toEqual([
      ["customer", "failed"],
      ["test", "sent"],
    ]);
    expect(all.data[0]).toMatchObject({
      to: "hana@example.com",
      customer_id: "7",
      error: expect.stringMatching(/550/),
    });
    expect((await log("to=HANA@example.com")).data).toHaveLength(1);
    expect((await log("about=test&state=sent")).data).toHaveLength(1);
    expect((await log("state=waiting")).data).toEqual([]);
    const count = async (query: string) => (await manager.get(`/mails/count?${query}`)).body.data;
    expect(await count("")).toEqual({ count: 2, counted_to: 10_000 });
    const found = ["to=HANA@example.com", "about=test&state=sent", "state=waiting"].map(count);
    expect((await Promise.all(found)).map((one) => one.count)).toEqual([1, 1, 0]);
    expect((await manager.get("/mails?after=x")).status).toBe(422);
    const [head, ...lines] = (await manager.get("/mails.csv?to=HANA@example.com")).text.trimEnd().split("\r\n");
    expect(head).toBe("uid,about,to,customer_id,subject,state,queued_at,ended_at,attempts,error");
    expect(lines).toEqual([expect.stringMatching(/^[0-9a-f-]{36},customer,hana@example.com,7,.*,failed,2026-03-01T/)]);
    const [entry] = (await manager.get("/audit?action=list.exported")).body.data;
    expect(entry).toMatchObject({ subject: { id: "mails" }, after: { to: "given" } }); // not whose address it is
    expect((await (await signIn(service, "support")).get("/mails.csv")).status).toBe(403);
  });

  test("is sent as a test to one person at most 20 times an hour", async () => {
    const states = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => manager.post("/messages/birthday/test", preview())),
      );
      return answers.map(({ body }) => body.data.state).sort();
    };
    service.clock.advance({ hours: 2 });
    expect(await states(21)).toEqual(["full", ...Array(20).fill("queued")]);
    service.clock.advance({ hours: 1 });
    expect(await states(1)).toEqual(["queued"]);
  });
});
