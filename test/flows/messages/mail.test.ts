import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSecretBox } from "../../../src/credentials/secret-box.ts";
import { enqueueMail } from "../../../src/mail/enqueue-mail.ts";
import { eraseMails } from "../../../src/mail/erase-mails.ts";
import type { Mail } from "../../../src/mail/mail.ts";
import { openMailTransport } from "../../../src/mail/open-mail-transport.ts";
import { pruneMails } from "../../../src/mail/prune-mails.ts";
import { resealMails } from "../../../src/mail/reseal-mails.ts";
import { runMails } from "../../../src/mail/run-mails.ts";
import { sendNextMail } from "../../../src/mail/send-next-mail.ts";
import type { MailSettings } from "../../../src/mail-settings.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { MAIL_AUTHORITY, type SmtpServer, smtpSettings, startSmtp } from "../../support/smtp.ts";
import { waitUntil } from "../../support/wait-until.ts";

let smtp: SmtpServer;
let service: TestService;
const lines: string[] = [];

beforeEach(async () => {
  lines.length = 0;
  smtp = await startSmtp();
});
afterEach(async () => {
  await service?.stop();
  await smtp.close();
});

async function start(mail: MailSettings | null, worker = false): Promise<void> {
  service = await startTestService({ worker, config: { mail }, logLevel: "debug", log: (line) => lines.push(line) });
}

const letter = (key: string, more: Partial<Mail> = {}): Mail => ({
  idempotencyKey: key,
  category: "access",
  to: `${key}@store.example`,
  subject: `Hello ${key} 様`,
  text: "Open https://store.example/#token-of-the-link",
  html: '<p>Open <a href="https://store.example/#token-of-the-link">it</a></p>',
  ...more,
});

const queue = (mail: Mail) => service.deps.db.tx((tx) => enqueueMail(tx, service.deps, mail));

/** Sends what is due, one after the other; answers how each turn went. */
async function sendAll(): Promise<string[]> {
  const transport = await openMailTransport(service.deps);
  const turns: string[] = [];
  const { signal } = new AbortController();
  for (let turn = "done"; turn === "done"; turns.push(turn))
    turn = await sendNextMail(service.deps, { transport, signal });
  transport.close();
  return turns;
}

const rows = () =>
  service.deps.db.query<{ key: string; state: string; error: string | null; attempts: number; isSealed: boolean }>(
    `select idempotency_key as key, state, error, attempts, content_sealed is not null as "isSealed"
     from mail order by created_at, uid`,
  );

/** As when the lease or the pause has run out. */
const beDue = () => service.deps.db.execute("update mail set lease_until = '-infinity' where state = 'waiting'");

describe("a mail", () => {
  test("is sent by the worker soon after the commit, whole, and its content goes", async () => {
    await start(smtpSettings(smtp), true);
    const attachments = [{ name: "表.csv", type: "text/csv; charset=utf-8", content: Buffer.from("a,b\n1,2\n") }];
    const unsubscribeUrl = "https://store.example/u/1";
    expect(await queue(letter("hana", { attachments, unsubscribeUrl }))).toBe("queued");
    await waitUntil(() => smtp.mails.length === 1);
    const [mail] = smtp.mails;
    expect(mail?.to).toBe("hana@store.example");
    for (const part of [
      "Content-Type: multipart/alternative",
      "text/csv; charset=utf-8",
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
      "List-Unsubscribe: <https://store.example/u/1>",
      "Auto-Submitted: auto-generated",
      "<points@store.example>",
      "token-of-the-link",
      Buffer.from("a,b\n1,2\n").toString("base64"),
    ])
      expect(mail?.raw).toContain(part);
    await waitUntil(async () => (await rows())[0]?.state === "sent");
    expect(await rows()).toMatchObject([{ state: "sent", isSealed: false, attempts: 1 }]);
    expect(lines.join("")).not.toMatch(/hana@|token-of-the-link/);
  });

  test("of a transaction that is rolled back is never sent, and one with a key that was there is not sent again", async () => {
    await start(smtpSettings(smtp));
    const failed = service.deps.db.tx(async (tx) => {
      await enqueueMail(tx, service.deps, letter("never"));
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect(await queue(letter("once"))).toBe("queued");
    const answers = await Promise.all([1, 2, 3].map(() => queue(letter("once", { text: "again" }))));
    expect(answers).toEqual(["repeated", "repeated", "repeated"]);
    await sendAll();
    expect(await queue(letter("once"))).toBe("repeated");
    await sendAll();
    expect(smtp.mails.map(({ to }) => to)).toEqual(["once@store.example"]);
  });

  test("is not taken where no server is set, and one that is wrong is a bug of its feature", async () => {
    await start(null);
    expect(await queue(letter("off"))).toBe("off");
    expect(await rows()).toEqual([]);
    await service.stop();
    await start(smtpSettings(smtp));
    await expect(queue(letter("x", { subject: "a\nBcc: b@c.example" }))).rejects.toThrow("the subject is one line");
  });

  test("of a person is taken when letters to customers have filled the queue, and goes first", async () => {
    await start(smtpSettings(smtp));
    await service.deps.db.execute(
      `insert into mail (uid, idempotency_key, category, priority, recipient, subject, content_sealed, created_at)
       select gen_random_uuid(), 'letter/' || n, 'customer', 4, 'c@store.example', 'x', $1, now()
       from generate_series(1, 10000) n`,
      [service.deps.secretBox.seal(JSON.stringify({ text: "x", html: "x" }))],
    );
    expect(await queue(letter("late", { category: "customer" }))).toBe("full");
    expect(await queue(letter("reset"))).toBe("queued");
    const transport = await openMailTransport(service.deps);
    await sendNextMail(service.deps, { transport, signal: new AbortController().signal });
    transport.close();
    expect(smtp.mails.map(({ to }) => to)).toEqual(["reset@store.example"]);
  });

  test("that is over is not sent, and ends with its customer", async () => {
    await start(smtpSettings(smtp));
    const customer = { bucket: 7, customerUid: service.deps.random.uid() };
    await queue(letter("over", { expiresAt: service.clock.now().add({ hours: 72 }) }));
    await queue(letter("gone", { category: "customer", customer }));
    service.clock.advance({ hours: 72 });
    await service.deps.db.tx((tx) => eraseMails(tx, [customer]));
    await sendAll();
    expect(smtp.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ key: "over", state: "expired", isSealed: false }]);
  });
});

describe("a mail server", () => {
  test("that refuses one mail for good ends it; one that is busy gets it again", async () => {
    await start(smtpSettings(smtp));
    smtp.refuse = { code: 550, text: "no such user refused@store.example" };
    await queue(letter("refused"));
    await sendAll();
    smtp.refuse = { code: 450, text: "busy" };
    await queue(letter("later"));
    expect(await sendAll()).toEqual(["done", "none"]);
    expect(await rows()).toMatchObject([
      { key: "refused", state: "failed", isSealed: false, error: expect.stringContaining("550") },
      { key: "later", state: "waiting", isSealed: true, attempts: 1, error: expect.stringContaining("450") },
    ]);
    smtp.refuse = null;
    expect(await sendAll()).toEqual(["none"]);
    await beDue();
    await sendAll();
    expect(smtp.mails.map(({ to }) => to)).toEqual(["later@store.example"]);
    expect(lines.join("")).not.toContain("@store.example");
  });

  test("that is down uses up no other mail's attempts, and is given up on after two days", async () => {
    await start(smtpSettings({ port: 1 }));
    await queue(letter("first"));
    await queue(letter("second"));
    expect(await sendAll()).toEqual(["server"]);
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 0]);
    await service.deps.db.execute(
      "update mail set attempts = 11, lease_until = '-infinity' where idempotency_key = 'first'",
    );
    await sendAll();
    expect((await rows())[0]).toMatchObject({ state: "failed", isSealed: false });
  });

  test("is spoken to by TLS with a certificate that is checked, or not at all", async () => {
    const secure = { security: "starttls", user: "points", password: "pass word/1" } as const;
    await start(smtpSettings(smtp, secure));
    await queue(letter("secret"));
    expect(await sendAll()).toEqual(["server"]);
    expect(smtp.mails).toEqual([]);
    await service.stop();
    await start(smtpSettings(smtp, { ...secure, caFile: MAIL_AUTHORITY }));
    await queue(letter("secret"));
    await sendAll();
    expect(smtp.mails).toMatchObject([{ isSecure: true, user: "points" }]);
  });

  test("whose certificates cannot be read is told by the log once a pause, and the worker leaves nothing behind", async () => {
    await start({ ...smtpSettings(smtp), caFile: "/nonexistent/ca.pem" });
    const ending = new AbortController();
    let listening = 0;
    const listen = () => {
      listening++;
      return () => void listening--;
    };
    const ends: string[] = [];
    const running = runMails(service.deps, { signal: ending.signal, onWake: listen }).then(
      () => void ends.push("stopped"),
      (error: unknown) => void ends.push(String(error)),
    );
    await waitUntil(() => ends.length > 0 || lines.some((line) => line.includes("no mail can be sent")));
    expect(ends).toEqual([]);
    ending.abort();
    await running;
    expect([...ends, listening]).toEqual(["stopped", 0]);
    const told = lines.filter((line) => line.includes("POINTKEEPER_SMTP_CA_FILE cannot be read"));
    expect(told).toHaveLength(1);
  });

  test("without STARTTLS is told nothing, and one that does not know the password is not told to the log", async () => {
    const bare = await startSmtp({ disabledCommands: ["STARTTLS"] });
    await start(smtpSettings(bare, { security: "starttls", caFile: MAIL_AUTHORITY }));
    await queue(letter("bare"));
    expect(await sendAll()).toEqual(["server"]);
    expect(bare.mails).toEqual([]);
    await bare.close();
    await service.stop();
    const wrong = { security: "starttls", caFile: MAIL_AUTHORITY, user: "points", password: "not it" } as const;
    await start(smtpSettings(smtp, wrong));
    await queue(letter("wrong"));
    expect(await sendAll()).toEqual(["server"]);
    expect((await rows())[0]).toMatchObject({ state: "waiting", error: expect.stringMatching(/^EAUTH/) });
    expect(lines.join("")).not.toMatch(/not it|pass word/);
  });
});

describe("mails that wait", () => {
  test("are sealed by the secret key, and sealed again when it is changed; by a lost key they fail", async () => {
    await start(smtpSettings(smtp));
    await queue(letter("kept"));
    const [row] = await service.deps.db.query<{ text: string }>(
      "select encode(content_sealed, 'escape') as text from mail",
    );
    expect(row?.text).not.toContain("token-of-the-link");
    const old = "x".repeat(32);
    const other = createSecretBox({ current: old, previous: [] });
    await service.deps.db.execute("update mail set content_sealed = $1", [other.seal('{"text":"t","html":"h"}')]);
    const both = { ...service.deps, secretBox: createSecretBox({ current: "y".repeat(32), previous: [old] }) };
    expect(await resealMails(both)).toBe(1);
    expect(await resealMails(both)).toBe(0);
    await sendAll();
    expect((await rows())[0]).toMatchObject({ state: "failed", error: expect.stringContaining("secret key") });
  });

  test("are sent although a clock that was ahead leased them, or said when to try again", async () => {
    await start(smtpSettings(smtp));
    for (const key of ["a", "b"]) await queue(letter(key));
    const until =
      "update mail set lease_uid = $1, lease_until = clock_timestamp() + $2::interval where idempotency_key = $3";
    const lease = (key: string, time: string) => service.deps.db.execute(until, [service.deps.random.uid(), time, key]);
    await lease("a", "1 year");
    await lease("b", "12 hours"); // the longest pause between two attempts
    await pruneMails(service.deps);
    await sendAll();
    expect(smtp.mails).toHaveLength(1);
    expect((await rows()).map(({ state }) => state).sort()).toEqual(["sent", "waiting"]);
  });

  test("are sent by one process each, and those that ended leave after 30 days", async () => {
    await start(smtpSettings(smtp));
    for (let n = 0; n < 12; n++) await queue(letter(`n${n}`));
    await Promise.all([sendAll(), sendAll(), sendAll()]);
    expect(smtp.mails.map(({ to }) => to).sort()).toEqual([...new Set(smtp.mails.map(({ to }) => to))].sort());
    expect(smtp.mails).toHaveLength(12);
    await service.deps.db.execute(
      "update mail set ended_at = ended_at - interval '31 days' where idempotency_key < 'n2'",
    );
    expect(await pruneMails(service.deps)).toBe(4);
    expect(await rows()).toHaveLength(8);
  });
});
