import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "../support/smtp.ts";
import { CSRF, STAFF_PASSWORD, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

const PUBLIC_URL = "https://points.store.example/shop";

let smtp: SmtpServer;
let service: TestService;

beforeAll(async () => {
  smtp = await startSmtp();
});
afterEach(() => service.stop());
afterAll(() => smtp.close());

async function start(): Promise<void> {
  smtp.mails.length = 0;
  const program = { store: { name: "花屋 <Hanaya>", time_zone: "Asia/Tokyo" } };
  service = await startTestService({ config: { mail: smtpSettings(smtp), publicUrl: PUBLIC_URL }, program });
}

/** The text part of the newest mail, decoded. */
async function textOf(count: number): Promise<string> {
  await waitUntil(() => smtp.mails.length === count);
  const raw = smtp.mails.at(-1)?.raw ?? "";
  const [, encoding = "", body = ""] =
    /Content-Type: text\/plain[^\r]*\r\nContent-Transfer-Encoding: ([\w-]+)\r\n\r\n([\s\S]*?)\r\n--/.exec(raw) ?? [];
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  const joined = body.replaceAll("=\r\n", "");
  if (encoding !== "quoted-printable") return joined;
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

const tokenIn = (text: string) => /\/admin\/invitation#([\w-]{43})/.exec(text)?.[1] ?? "";

test("an invitation goes by mail, is not shown to the owner, and opens the account", async () => {
  await start();
  const owner = await signIn(service, "owner");
  const invited = await owner.post("/people", { email: "ken@store.example", name: "Ken <b>", role: "support" });
  expect(invited.body.data).toMatchObject({ link: null, mailed_to: "ken@store.example" });
  const text = await textOf(1);
  expect(smtp.mails[0]?.to).toBe("ken@store.example");
  expect(text).toContain(`Hello Ken <b>,`);
  expect(text).toContain(`${PUBLIC_URL}/admin/invitation#`);
  const choice = { token: tokenIn(text), password: STAFF_PASSWORD };
  const chosen = await createClient(`${service.url}/admin/api`, null).post("/invitation", choice, CSRF);
  expect(chosen.body.data).toEqual({ is_signed_in: true });
  const [kept] = await service.deps.db.query<{ found: boolean }>(
    "select exists (select from mail m where to_jsonb(m)::text like '%' || $1 || '%') as found",
    [choice.token],
  );
  expect(kept?.found).toBe(false);
});

test("a link to an address that no mail can name is shown to the owner", async () => {
  await start();
  const owner = await signIn(service, "owner");
  const invited = await owner.post("/people", { email: "ken,hana@store.example", name: "Ken", role: "support" });
  expect([invited.status, invited.body.data.mailed_to]).toEqual([200, null]);
  expect(invited.body.data.link).toContain("/admin/invitation#");
});

test("a reset speaks the person's language, and can be shown where no mail arrives", async () => {
  await start();
  const owner = await signIn(service, "owner");
  const person = await signIn(service, "manager");
  await person.put("/account", { language: "ja" });
  const reset = await owner.post(`/people/${person.uid}/password`);
  expect(reset.body.data.link).toBeNull();
  const text = await textOf(1);
  expect(text).toContain("新しいパスワードを設定してください");
  expect(text).toContain("花屋 <Hanaya>");
  expect(smtp.mails[0]?.raw).not.toContain("<Hanaya>のオーナー"); // HTML is escaped
  const shown = await owner.post(`/people/${person.uid}/password?show_link=true`);
  expect(shown.body.data).toMatchObject({ mailed_to: null, link: expect.stringContaining("/admin/invitation#") });
  const look = (token: string) =>
    createClient(`${service.url}/admin/api`, null).post("/invitation/look", { token }, CSRF);
  expect((await look(tokenIn(text))).status).toBe(404);
  expect((await look(tokenIn(shown.body.data.link))).status).toBe(200);
});

test("an invitation speaks the language of the owner's page, and who opens it keeps that of theirs", async () => {
  await start();
  const owner = await signIn(service, "owner");
  const person = { email: "ken@store.example", name: "Ken", role: "support" };
  const page = createClient(`${service.url}/admin/api`, null);
  const asOwner = { ...CSRF, cookie: owner.cookie, "accept-language": "ja" };
  expect((await page.post("/people", person, asOwner)).status).toBe(200);
  const text = await textOf(1);
  expect(text).toContain("パスワードを設定");
  const choice = { token: tokenIn(text), password: STAFF_PASSWORD };
  const opened = await page.post("/invitation", choice, { ...CSRF, "accept-language": "en-GB,en;q=0.9" });
  expect(opened.body.data).toEqual({ is_signed_in: true });
  const kept = () => service.deps.db.query<{ language: string }>("select language from staff where name = 'Ken'");
  expect(await kept()).toEqual([{ language: "en" }]);
});

test("a store that is set up on a Japanese page begins in Japanese, people and members", async () => {
  await start();
  const page = createClient(`${service.url}/admin/api`, null);
  const owner = { code: service.setupCode, email: "hana@store.example", name: "花", password: STAFF_PASSWORD };
  const made = await page.post("/setup", owner, { ...CSRF, "accept-language": "ja" });
  expect(made.status).toBe(200);
  const cookie = made.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  expect((await page.get("/session", { cookie })).body.data.staff.language).toBe("ja");
  expect((await page.get("/messages", { cookie })).body.data.language).toBe("ja");
});
