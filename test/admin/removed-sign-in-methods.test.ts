import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endAccess } from "../../src/staff/queries.ts";
import { createAuthenticator } from "../support/authenticator.ts";
import { type Answer, createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import {
  type AdminClient,
  adminClient,
  CSRF,
  cookieOf,
  STAFF_PASSWORD,
  signIn,
  tokenOfLink,
} from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

const SITE = { origin: "http://localhost:3000", rpId: "localhost" };
const ANOTHER = "another password than before";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ worker: false, config: { publicUrl: SITE.origin } });
  await signIn(service, "owner");
});
afterAll(() => service.stop());

const stranger = () => createClient(`${service.url}/admin/api`, null);

async function addPasskey(person: AdminClient) {
  const device = createAuthenticator(SITE);
  const { challenge } = (await person.post("/account/passkeys/challenge")).body.data;
  const added = await person.post("/account/passkeys", { name: "Key", passkey: device.make(challenge) });
  expect(added.status).toBe(200);
  return device;
}

/** A passkey of the person of which an answer says that it was copied. */
async function loseTrust(person: AdminClient): Promise<void> {
  const device = await addPasskey(person);
  for (const status of [200, 401]) {
    device.counter = 5;
    const { challenge } = (await stranger().post("/session/passkey/challenge", undefined, CSRF)).body.data;
    const answer = await stranger().post("/session/passkey", { passkey: device.answer(challenge) }, CSRF);
    expect(answer.status).toBe(status);
  }
}

describe("a passkey that may have been copied", () => {
  test("leaves the account with a second factor: the password alone does not open it, a recovery code does", async () => {
    const person = await signIn(service, "manager");
    const { email, password } = person;
    await loseTrust(person);
    const asked = await stranger().post("/session", { email, password }, CSRF);
    expect(asked.status).toBe(401);
    expect(asked.body.errors).toMatchObject([{ detail: "code required", source: { pointer: "/code" } }]);
    const owner = await signIn(service, "owner");
    const listed = (await owner.get("/people")).body.data.find(({ uid }: { uid: string }) => uid === person.uid);
    expect(listed).toMatchObject({ has_factor: true, passkeys: 0 }); // so that an owner can take it away
    await addPasskey(person);
    const { codes } = (await person.post("/account/recovery-codes")).body.data;
    await cookieOf(service.url, { email, password, code: codes[0] });
  });

  test("is asked for behind a reset's link, too", async () => {
    const owner = await signIn(service, "owner");
    const person = await signIn(service, "manager");
    await loseTrust(person);
    const { link } = (await owner.post(`/people/${person.uid}/password?show_link=true`)).body.data;
    const choice = { token: tokenOfLink(link), password: ANOTHER };
    const chosen = await stranger().post("/invitation", choice, CSRF);
    expect(chosen.body.data).toEqual({ is_signed_in: false });
  });
});

describe("codes of the app", () => {
  test("are not guessed for ever by somebody who is signed in and knows the password", async () => {
    const person = await signIn(service, "support");
    const { secret } = (await person.post("/account/totp")).body.data;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });
    const on = await person.put("/account/totp", { code, current_password: STAFF_PASSWORD });
    expect(on.status).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) {
      statuses.push((await person.delete("/account/totp", { code: "000 hunter" })).status);
      await person.post("/session/confirm", { password: STAFF_PASSWORD });
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });
});

/** Sends a request while an owner removes the person's access in a transaction that commits once the request waits for it. */
async function askedMeanwhile(person: AdminClient, ask: () => Promise<Answer>): Promise<Answer> {
  const { db } = service.deps;
  const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  let asked: Promise<Answer> | undefined;
  await db.tx(async (tx) => {
    await tx.execute("update staff set password_hash = null where uid = $1", [person.uid]);
    await endAccess(tx, person);
    asked = ask();
    await waitUntil(async () => (await db.query(waits)).length > 0);
  });
  if (asked === undefined) throw new Error("nothing was asked");
  return asked;
}

describe("what a session asked for before a reset", () => {
  test("leaves no password that its asker knows", async () => {
    const person = await signIn(service, "manager");
    const change = { current_password: STAFF_PASSWORD, password: ANOTHER };
    expect((await askedMeanwhile(person, () => person.put("/account", change))).status).toBe(401);
    await expect(cookieOf(service.url, { email: person.email, password: ANOTHER })).rejects.toThrow("refused");
  });

  test("leaves no passkey, recovery codes or app of theirs", async () => {
    const person = await signIn(service, "manager");
    const device = createAuthenticator(SITE);
    const { challenge } = (await person.post("/account/passkeys/challenge")).body.data;
    const made = { name: "Key", passkey: device.make(challenge) };
    expect((await askedMeanwhile(person, () => person.post("/account/passkeys", made))).status).toBe(401);
    const other = await signIn(service, "manager");
    await addPasskey(other);
    expect((await askedMeanwhile(other, () => other.post("/account/recovery-codes"))).status).toBe(401);
    const third = await signIn(service, "manager");
    const { secret } = (await third.post("/account/totp")).body.data;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });
    const on = { code, current_password: STAFF_PASSWORD };
    expect((await askedMeanwhile(third, () => third.put("/account/totp", on))).status).toBe(401);
  });
});

test("a link of a reset ends when its person has chosen a password without it", async () => {
  const owner = await signIn(service, "owner");
  const person = await signIn(service, "manager");
  const device = await addPasskey(person);
  const { link } = (await owner.post(`/people/${person.uid}/password?show_link=true`)).body.data;
  const { challenge } = (await stranger().post("/session/passkey/challenge", undefined, CSRF)).body.data;
  const came = await stranger().post("/session/passkey", { passkey: device.answer(challenge) }, CSRF);
  const cookie = came.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  expect((await adminClient(service.url, cookie).put("/account", { password: ANOTHER })).status).toBe(200);
  const late = await stranger().post("/invitation", { token: tokenOfLink(link), password: STAFF_PASSWORD }, CSRF);
  expect(late.status).toBe(404);
});

test("recovery codes end with the last second factor: they stand for none that is added later", async () => {
  const person = await signIn(service, "manager");
  await addPasskey(person);
  const { codes } = (await person.post("/account/recovery-codes")).body.data;
  const [{ uid = "" } = {}] = (await person.get("/account/factors")).body.data.passkeys;
  expect((await person.delete(`/account/passkeys/${uid}`)).status).toBe(200);
  await addPasskey(person);
  const { email, password } = person;
  await expect(cookieOf(service.url, { email, password, code: codes[0] })).rejects.toThrow("refused");
});
