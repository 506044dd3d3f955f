import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStaff } from "../../src/staff/create-staff.ts";
import { resetPassword } from "../../src/staff/passwords/reset-password.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { adminClient, cookieOf, STAFF_PASSWORD, signIn } from "../support/staff.ts";

let service: TestService;
let made = 0;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  await signIn(service, "owner");
});
afterAll(() => service.stop());

async function madePerson(): Promise<{ uid: string; email: string; password: string }> {
  made++;
  const email = `made${made}@store.example`;
  const { uid, madePassword } = await createStaff(service.deps, { email, name: "Made", role: "owner" });
  return { uid, email, password: madePassword ?? "" };
}

describe("a password that the service made", () => {
  test("opens one session, in which nothing is answered before another is chosen", async () => {
    const { email, password } = await madePerson();
    const cookie = await cookieOf(service.url, { email, password });
    await expect(cookieOf(service.url, { email, password })).rejects.toThrow("refused");
    const person = adminClient(service.url, cookie);
    const session = (await person.get("/session")).body.data;
    expect(session).toMatchObject({ staff: { email, has_made_password: true }, permissions: [] });
    const refused = [
      await person.get("/home"),
      await person.get("/people"),
      await person.post("/credentials", { name: "till", scopes: ["read"] }),
      await person.put("/account", { language: "ja" }),
      await person.post("/account/totp"),
      await person.post("/session/confirm", { password }),
    ];
    for (const { status, body } of refused)
      expect([status, body.errors[0].title]).toEqual([403, "Choose a password of your own first"]);

    expect((await person.put("/account", { password: "short" })).status).toBe(422);
    const again = await person.put("/account", { password });
    expect([again.status, again.body.errors[0].source]).toEqual([422, { pointer: "/password" }]);
    expect((await person.put("/account", { password: STAFF_PASSWORD })).status).toBe(200);
    expect((await person.get("/home")).status).toBe(200);
    await cookieOf(service.url, { email, password: STAFF_PASSWORD });
    await cookieOf(service.url, { email, password: STAFF_PASSWORD });
  });

  test("opens one session however many ask at once", async () => {
    const person = await madePerson();
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => cookieOf(service.url, person)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is over after three days, and another one can be made", async () => {
    const { uid, email, password } = await madePerson();
    service.clock.advance({ hours: 72 });
    await expect(cookieOf(service.url, { email, password })).rejects.toThrow("refused");
    const { madePassword } = await resetPassword(service.deps, uid);
    await cookieOf(service.url, { email, password: madePassword ?? "" });
  });

  test("of before there was an end to it opens one session too", async () => {
    const { uid, email, password } = await madePerson();
    await service.deps.db.execute("update staff set password_until = null where uid = $1", [uid]);
    service.clock.advance({ hours: 72 });
    const cookie = await cookieOf(service.url, { email, password });
    expect((await adminClient(service.url, cookie).get("/home")).status).toBe(403);
    await expect(cookieOf(service.url, { email, password })).rejects.toThrow("refused");
  });
});
