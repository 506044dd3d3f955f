import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStaff } from "../../src/staff/create-staff.ts";
import { type Client, createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { adminClient, CSRF, cookieOf, STAFF_PASSWORD, signIn } from "../support/staff.ts";

let service: TestService;
let stranger: Client;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  stranger = createClient(`${service.url}/admin/api`, null);
});
afterAll(() => service.stop());

const signInWith = (body: object, headers: Record<string, string> = CSRF) => stranger.post("/session", body, headers);

describe("the first person", () => {
  test("is not kept out by whoever guesses the setup code from the same address", async () => {
    const person = { email: "not one", name: "e", password: STAFF_PASSWORD };
    const set = async (code: string) => await stranger.post("/setup", { code, ...person }, CSRF);
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await set(`guess-${i}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 422), 429, 429]);
    const right = await set(service.setupCode ?? "");
    expect([right.status, right.body.errors[0].source]).toEqual([422, { pointer: "/email" }]);
  });

  test("is made once, however many try at once, and is signed in", async () => {
    const before = await stranger.get("/session");
    expect(before.body.data).toMatchObject({ staff: null, permissions: [], setup_needed: true, approval_limit: null });
    const code = service.setupCode;
    const weak = await stranger.post("/setup", { code, email: "not one", name: " ", password: "short" }, CSRF);
    expect(weak.status).toBe(422);
    expect(weak.body.errors.map((e: { source: { pointer: string } }) => e.source.pointer).sort()).toEqual([
      "/email",
      "/name",
      "/password",
    ]);
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        stranger.post("/setup", { code, email: `${name}@Store.example`, name, password: STAFF_PASSWORD }, CSRF),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    const made = answers.find((answer) => answer.status === 200);
    const cookie = made?.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    const session = await stranger.get("/session", { cookie });
    expect(session.body.data.staff).toMatchObject({ role: "owner", language: null, has_totp: false });
    expect(session.body.data.setup_needed).toBe(false);
    expect(session.body.data.permissions).toContain("people.manage");
    const { uid, name } = session.body.data.staff;
    const entries = await service.deps.db.query(
      "select actor_kind, actor_id, actor_name, address from audit_entry where action = 'staff.created' and subject_id = $1",
      [uid],
    );
    expect(entries).toEqual([{ actor_kind: "staff", actor_id: uid, actor_name: name, address: "127.0.0.1" }]);
    expect(
      (await stranger.post("/setup", { email: "e@store.example", name: "e", password: STAFF_PASSWORD }, CSRF)).status,
    ).toBe(409);
  });
});

describe("signing in", () => {
  test("the cookie is for the dashboard alone, and for no script", async () => {
    const { email, password } = await signIn(service, "viewer");
    const answer = await signInWith({ email: ` ${email.toUpperCase()} `, password });
    const [cookie = "", device] = answer.headers.getSetCookie();
    expect(device).toMatch(/^pointkeeper_device=[\w-]{43}; Max-Age=34560000; Path=\/admin; HttpOnly; SameSite=Strict$/);
    expect(cookie).toMatch(/^pointkeeper_session=[\w-]{43}; Max-Age=1209600; Path=\/admin; HttpOnly; SameSite=Strict$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const [row] = await service.deps.db.query<{ found: boolean }>(
      "select exists (select from staff_session where encode(token_sha256, 'escape') like '%' || $1 || '%') as found",
      [cookie.slice(20, 63)],
    );
    expect(row?.found).toBe(false);
  });

  test("a wrong password, an unknown e-mail and a disabled person get the same answer", async () => {
    const owner = await signIn(service, "owner");
    const { uid, email, password } = await signIn(service, "support");
    const wrong = await signInWith({ email, password: "not the password" });
    const unknown = await signInWith({ email: "nobody@store.example", password });
    expect((await owner.post(`/people/${uid}/disable`)).status).toBe(200);
    const disabled = await signInWith({ email, password });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toBeNull();
    expect(wrong.text).toBe(unknown.text);
    expect(wrong.text).toBe(disabled.text);
  });

  test("the same password typed in another form of Unicode opens", async () => {
    await createStaff(service.deps, {
      email: "width@store.example",
      name: "Width",
      role: "viewer",
      password: "ﾊﾟｽﾜｰﾄﾞ-１２３４５６",
    });
    expect((await signInWith({ email: "width@store.example", password: "パスワード-123456" })).status).toBe(200);
  });

  test("a change needs the dashboard's header, and no other site's name", async () => {
    const { email, password } = await signIn(service, "viewer");
    const given = { email, password };
    expect((await signInWith(given, {})).status).toBe(403);
    expect((await signInWith(given, { ...CSRF, origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await signInWith(given, { ...CSRF, origin: "null" })).status).toBe(403);
    expect((await signInWith(given, { ...CSRF, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await signInWith(given, { ...CSRF, "sec-fetch-site": "same-site" })).status).toBe(403);
    const own = { ...CSRF, "sec-fetch-site": "same-origin", origin: service.url };
    expect((await signInWith(given, own)).status).toBe(200);
  });
});

describe("lockout", () => {
  test("five mistakes are free, then the wait grows; the right password is refused too, and then ends it", async () => {
    const { email, password } = await signIn(service, "viewer");
    const wrong = { email, password: "not the password" };
    for (let i = 0; i < 5; i++) expect((await signInWith(wrong)).status).toBe(401);
    const locked = await signInWith({ email, password });
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get("retry-after"))).toBe(30);
    service.clock.advance({ seconds: 30 });
    expect((await signInWith(wrong)).status).toBe(401);
    expect(Number((await signInWith(wrong)).headers.get("retry-after"))).toBe(60);
    service.clock.advance({ seconds: 60 });
    expect((await signInWith({ email, password })).status).toBe(200);
    expect((await signInWith(wrong)).status).toBe(401);
    expect((await signInWith({ email, password })).status).toBe(200);
  });

  test("attempts at once are counted before they are tried", async () => {
    const { email } = await signIn(service, "viewer");
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => signInWith({ email, password: `guess number ${i}` })),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  test("an e-mail that is nobody's is locked the same", async () => {
    service.clock.advance({ hours: 25 });
    for (let i = 0; i < 5; i++)
      expect((await signInWith({ email: "ghost@store.example", password: "x" })).status).toBe(401);
    expect((await signInWith({ email: "ghost@store.example", password: "x" })).status).toBe(429);
  });

  test("an address that tries many e-mails is locked", async () => {
    service.clock.advance({ hours: 25 });
    const { email, password } = await signIn(service, "viewer");
    for (let i = 0; i < 20; i++)
      expect((await signInWith({ email: `many${i}@store.example`, password: "x" })).status).toBe(401);
    expect((await signInWith({ email, password })).status).toBe(429);
    service.clock.advance({ hours: 25 });
    expect((await signInWith({ email, password })).status).toBe(200);
  });
});

describe("the second factor", () => {
  const own = { current_password: STAFF_PASSWORD };
  const codeAt = (secret: string, steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

  test("is turned on with a code, asked for, and a code counts once, at once too", async () => {
    const person = await signIn(service, "manager");
    const begun = await person.post("/account/totp");
    expect(begun.status).toBe(200);
    const { uri, secret } = begun.body.data;
    expect(uri).toContain(`secret=${secret}`);
    expect((await signInWith(person)).status).toBe(200);
    expect((await person.put("/account/totp", { ...own, code: "not one" })).status).toBe(422);
    const code = codeAt(secret, 0);
    const without = await person.put("/account/totp", { code });
    expect([without.status, without.body.errors[0].source]).toEqual([422, { pointer: "/current_password" }]);
    const wrong = await person.put("/account/totp", { code, current_password: "not the password" });
    expect([wrong.status, wrong.body.errors[0].source]).toEqual([422, { pointer: "/current_password" }]);
    expect((await person.get("/session")).body.data.staff.has_totp).toBe(false);
    expect((await person.put("/account/totp", { ...own, code })).status).toBe(200);
    expect((await person.get("/session")).body.data.staff.has_totp).toBe(true);
    expect((await person.post("/account/totp")).status).toBe(409);

    const { email, password } = person;
    const asked = await signInWith({ email, password });
    expect(asked.status).toBe(401);
    expect(asked.body.errors[0].detail).toBe("code required");
    expect((await signInWith({ email, password, code })).status).toBe(401);
    const next = codeAt(secret, 1);
    const answers = await Promise.all([1, 2, 3].map(() => signInWith({ email, password, code: next })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401]);
  });

  test("is turned off with a code, and by an owner for one who lost the telephone", async () => {
    const owner = await signIn(service, "owner");
    const person = await signIn(service, "support");
    const { uid, email, password } = person;
    const { secret } = (await person.post("/account/totp")).body.data;
    const code = codeAt(secret, 0); // one of a moment later may be the next one
    await person.put("/account/totp", { ...own, code });
    expect((await person.delete("/account/totp", { code })).status).toBe(422);
    expect((await person.delete("/account/totp", { code: codeAt(secret, 1) })).status).toBe(200);
    expect((await signInWith({ email, password })).status).toBe(200);
    const { secret: lost } = (await person.post("/account/totp")).body.data;
    await service.deps.db.execute("update staff set totp_step = 0 where uid = $1", [uid]);
    await person.put("/account/totp", { ...own, code: codeAt(lost, 0) });
    expect((await signInWith({ email, password })).status).toBe(401);
    expect((await owner.delete(`/people/${uid}/totp`)).status).toBe(200);
    expect((await signInWith({ email, password })).status).toBe(200);
  });
});

describe("sessions", () => {
  test("end after twelve idle hours, and after fourteen days at the latest", async () => {
    const idle = await signIn(service, "viewer");
    service.clock.advance({ hours: 11, minutes: 59 });
    expect((await idle.get("/session")).body.data.staff).not.toBeNull();
    service.clock.advance({ hours: 12 });
    expect((await idle.get("/session")).body.data.staff).toBeNull();
    const busy = await signIn(service, "viewer");
    for (let i = 0; i < 33; i++) {
      service.clock.advance({ hours: 10 });
      expect((await busy.get("/session")).body.data.staff).not.toBeNull();
    }
    service.clock.advance({ hours: 6 });
    expect((await busy.get("/session")).body.data.staff).toBeNull();
  });

  test("what a page reads by itself keeps none open", async () => {
    const away = await signIn(service, "viewer");
    const reader = createClient(`${service.url}/admin/api`, null);
    const poll = { cookie: away.cookie, "x-pointkeeper-poll": "1" };
    service.clock.advance({ hours: 11 });
    expect((await reader.get("/home", poll)).status).toBe(200);
    expect((await reader.get("/session", poll)).body.data.staff).not.toBeNull();
    service.clock.advance({ hours: 1 });
    expect((await away.get("/session")).body.data.staff).toBeNull();
    const back = await signIn(service, "viewer");
    service.clock.advance({ hours: 11 });
    expect((await back.get("/home")).status).toBe(200);
    service.clock.advance({ hours: 1 });
    expect((await back.get("/session")).body.data.staff).not.toBeNull();
  });

  test("signing out ends one, signing out everywhere all", async () => {
    const one = await signIn(service, "viewer");
    const other = adminClient(service.url, await cookieOf(service.url, one));
    const third = adminClient(service.url, await cookieOf(service.url, one));
    expect((await one.delete("/session")).headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await one.put("/account", { language: "ja" })).status).toBe(401);
    expect((await other.put("/account", { language: "ja" })).status).toBe(200);
    expect((await other.delete("/sessions")).status).toBe(200);
    expect((await other.get("/session")).body.data.staff).toBeNull();
    expect((await third.get("/session")).body.data.staff).toBeNull();
  });

  test("a new password needs the old one and ends the other sessions", async () => {
    const person = await signIn(service, "viewer");
    const other = adminClient(service.url, await cookieOf(service.url, person));
    const password = "another good password";
    const without = await person.put("/account", { password });
    expect(without.body.errors[0].source.pointer).toBe("/current_password");
    const wrong = await person.put("/account", { password, current_password: "not the password" });
    expect(wrong.body.errors[0].source.pointer).toBe("/current_password");
    expect((await other.get("/session")).body.data.staff).not.toBeNull();
    expect((await person.put("/account", { password, current_password: STAFF_PASSWORD, name: "New" })).status).toBe(
      200,
    );
    expect((await other.get("/session")).body.data.staff).toBeNull();
    expect((await person.get("/session")).body.data.staff.name).toBe("New");
    expect((await signInWith(person)).status).toBe(401);
    expect((await signInWith({ email: person.email, password })).status).toBe(200);
  });
});
