import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Authenticator, createAuthenticator, type Oddities } from "../support/authenticator.ts";
import { type Answer, createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import {
  type AdminClient,
  adminClient,
  CSRF,
  cookieOf,
  endConfirmations,
  STAFF_PASSWORD,
  signIn,
} from "../support/staff.ts";

const SITE = { origin: "http://localhost:3000", rpId: "localhost" };

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ worker: false, config: { publicUrl: `${SITE.origin}/shop` } });
  await signIn(service, "owner");
});
afterAll(() => service.stop());

const stranger = () => createClient(`${service.url}/admin/api`, null);
const challengeOf = async (client: Pick<AdminClient, "post">, path: string) =>
  String((await client.post(path)).body.data.challenge);
const signInChallenge = async () =>
  String((await stranger().post("/session/passkey/challenge", undefined, CSRF)).body.data.challenge);

async function addTo(
  person: AdminClient,
  name = "Key",
  oddities?: Oddities,
): Promise<{ device: Authenticator; answer: Answer }> {
  const device = createAuthenticator(SITE);
  const challenge = await challengeOf(person, "/account/passkeys/challenge");
  const answer = await person.post("/account/passkeys", { name, passkey: device.make(challenge, oddities) });
  return { device, answer };
}

async function withKey(
  role: "owner" | "manager" | "support" = "manager",
): Promise<AdminClient & { device: Authenticator }> {
  const person = await signIn(service, role);
  const { device, answer } = await addTo(person);
  expect(answer.status).toBe(200);
  return { ...person, device };
}

const comeIn = (passkey: object) => stranger().post("/session/passkey", { passkey }, CSRF);
const who = async (answer: Answer) => {
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? null;
  return (await adminClient(service.url, cookie).get("/session")).body.data.staff?.uid;
};

describe("a passkey", () => {
  test("signs its person in alone, and its answer counts once", async () => {
    const person = await withKey();
    const answer = person.device.answer(await signInChallenge());
    const came = await comeIn(answer);
    expect([came.status, await who(came)]).toEqual([200, person.uid]);
    expect((await comeIn(answer)).status).toBe(401);
    const many = person.device.answer(await signInChallenge());
    const answers = await Promise.all([1, 2, 3, 4].map(() => comeIn(many)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const listed = (await person.get("/account/factors")).body.data.passkeys;
    expect(listed).toMatchObject([{ name: "Key", is_suspected: false, used_at: expect.any(String) }]);
  });

  test("makes no browser known by a token that somebody else has set there", async () => {
    const person = await withKey();
    const come = async (token: string) => {
      const passkey = person.device.answer(await signInChallenge());
      const headers = { ...CSRF, cookie: `pointkeeper_device=${token}` };
      const answer = await stranger().post("/session/passkey", { passkey }, headers);
      return /^pointkeeper_device=([^;]+)/.exec(answer.headers.getSetCookie()[1] ?? "")?.[1] ?? "";
    };
    const planted = "p".repeat(43);
    const given = await come(planted);
    expect(given).toMatch(/^[\w-]{43}$/);
    expect(given).not.toBe(planted);
    expect(await come(given)).toBe(given);
    const { email, password } = await signIn(service, "viewer");
    const headers = { ...CSRF, cookie: `pointkeeper_device=${given}` };
    const signedIn = await stranger().post("/session", { email, password }, headers);
    expect(signedIn.headers.getSetCookie()[1]).not.toContain(given);
  });

  test("opens nothing with another origin, site, use, signature, or an unchecked user", async () => {
    const person = await withKey();
    const odd: Oddities[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { isVerified: false },
      { type: "webauthn.create" },
      { isForged: true },
    ];
    for (const oddities of odd) {
      const answer = person.device.answer(await signInChallenge(), oddities);
      expect([oddities, (await comeIn(answer)).status]).toEqual([oddities, 401]);
      service.clock.advance({ hours: 1 });
    }
    const confirming = await challengeOf(
      adminClient(service.url, (await signIn(service, "viewer")).cookie),
      "/session/confirm/passkey",
    );
    for (const challenge of [confirming, Buffer.from("made up").toString("base64url")])
      expect((await comeIn(person.device.answer(challenge))).status).toBe(401);
    const unknown = createAuthenticator(SITE);
    expect((await comeIn(unknown.answer(await signInChallenge()))).status).toBe(401);
  });

  test("whose counter goes back may be a copy: it opens nothing from then on, and that is written down", async () => {
    const person = await withKey();
    person.device.counter = 5;
    expect((await comeIn(person.device.answer(await signInChallenge()))).status).toBe(200);
    person.device.counter = 5;
    expect((await comeIn(person.device.answer(await signInChallenge()))).status).toBe(401);
    person.device.counter = 9;
    expect((await comeIn(person.device.answer(await signInChallenge()))).status).toBe(401);
    const [entry] = await service.deps.db.query(
      "select from audit_entry where action = 'staff.passkey_suspected' and subject_id = $1",
      [person.uid],
    );
    expect(entry).toBeDefined();
  });

  test("is made after a confirmation, by an answer that holds, ten at most and each once", async () => {
    const person = await signIn(service, "support");
    const bare = adminClient(service.url, person.cookie);
    for (const oddities of [{ origin: "https://evil.example" }, { rpId: "evil.example" }, { isVerified: false }])
      expect((await addTo(person, "Key", oddities)).answer.body.errors[0].source).toEqual({ pointer: "/passkey" });
    expect((await addTo(person, " ")).answer.body.errors[0].source).toEqual({ pointer: "/name" });
    const device = createAuthenticator(SITE);
    const challenge = await challengeOf(person, "/account/passkeys/challenge");
    const made = device.make(challenge);
    expect((await person.post("/account/passkeys", { name: "One", passkey: made })).status).toBe(200);
    expect((await person.post("/account/passkeys", { name: "One", passkey: made })).status).toBe(422);
    const others = await challengeOf(await signIn(service, "viewer"), "/account/passkeys/challenge");
    expect(
      (await person.post("/account/passkeys", { name: "X", passkey: createAuthenticator(SITE).make(others) })).status,
    ).toBe(422);
    for (let n = 2; n <= 10; n++) expect((await addTo(person)).answer.status).toBe(200);
    expect((await person.post("/account/passkeys/challenge")).body.errors[0].code).toBe("passkeys_full");
    await endConfirmations(service);
    expect((await bare.post("/account/passkeys/challenge")).body.errors[0].code).toBe("confirmation_needed");
  });
});

describe("the name of a passkey", () => {
  test("is changed by its own person, and by nobody else", async () => {
    const person = await withKey();
    const keyOf = async () => (await person.get("/account/factors")).body.data.passkeys[0];
    const { uid } = await keyOf();
    const path = `/account/passkeys/${uid}`;
    expect((await person.put(path, { name: " Desk " })).status).toBe(200);
    expect(await keyOf()).toMatchObject({ uid, name: "Desk" });
    expect((await person.put(path, { name: "  " })).body.errors[0].source).toEqual({ pointer: "/name" });
    const owner = await signIn(service, "owner");
    expect((await owner.put(path, { name: "Mine" })).status).toBe(404);
    expect((await keyOf()).name).toBe("Desk");
  });
});

describe("as the second factor", () => {
  test("it is asked for beside the password, and another person's does not do", async () => {
    const person = await withKey();
    const other = await withKey();
    const { email, password } = person;
    const asked = await stranger().post("/session", { email, password }, CSRF);
    expect(asked.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual(["passkey required"]);
    const answerOf = async (device: Authenticator) =>
      stranger().post("/session", { email, password, passkey: device.answer(await signInChallenge()) }, CSRF);
    expect((await answerOf(other.device)).status).toBe(401);
    expect((await answerOf(person.device)).status).toBe(200);
    await expect(cookieOf(service.url, { email, password, code: "123456" })).rejects.toThrow("refused");
  });

  test("a recovery code stands for it once, and is kept as a digest alone", async () => {
    const person = await withKey();
    const { email, password } = person;
    const { codes } = (await person.post("/account/recovery-codes")).body.data;
    expect(codes).toHaveLength(10);
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => cookieOf(service.url, { email, password, code: codes[0] })),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await cookieOf(service.url, { email, password, code: codes[1].toUpperCase() });
    expect((await person.get("/account/factors")).body.data.recovery_codes).toBe(8);
    await person.post("/account/recovery-codes");
    await expect(cookieOf(service.url, { email, password, code: codes[2] })).rejects.toThrow("refused");
    const [kept] = await service.deps.db.query<{ found: boolean }>(
      "select exists (select from staff_recovery_code c where to_jsonb(c)::text like '%' || $1 || '%') as found",
      [codes[3]],
    );
    expect(kept?.found).toBe(false);
    const without = await signIn(service, "viewer");
    expect((await without.post("/account/recovery-codes")).body.errors[0].code).toBe("second_factor_off");
  });

  test("it counts where the role must have one, and owners take it from somebody who lost it", async () => {
    const store = await startTestService({
      worker: false,
      config: { publicUrl: SITE.origin, secondFactorRoles: ["manager"] },
    });
    const owner = await signIn(store, "owner");
    const manager = await signIn(store, "manager");
    expect((await manager.get("/home")).body.errors[0].code).toBe("totp_needed");
    const device = createAuthenticator(SITE);
    const challenge = await challengeOf(manager, "/account/passkeys/challenge");
    expect((await manager.post("/account/passkeys", { name: "Key", passkey: device.make(challenge) })).status).toBe(
      200,
    );
    expect((await manager.get("/home")).status).toBe(200);
    expect((await owner.delete(`/people/${manager.uid}/totp`)).status).toBe(200);
    const [left] = await store.deps.db.query("select count(*)::integer as n from staff_passkey");
    expect(left).toEqual({ n: 0 });
    await store.stop();
  });
});

describe("a confirmation", () => {
  test("by one's own passkey is as good as the password, once, and nobody else's is", async () => {
    const person = await withKey("owner");
    const other = await withKey("owner");
    await endConfirmations(service);
    const bare = adminClient(service.url, person.cookie);
    const confirmBy = async (device: Authenticator, challenge: string) =>
      (await bare.post("/session/confirm", { passkey: device.answer(challenge) })).status;
    const challenge = await challengeOf(bare, "/session/confirm/passkey");
    expect(await confirmBy(other.device, challenge)).toBe(422);
    expect(await confirmBy(person.device, await signInChallenge())).toBe(422);
    expect((await bare.post("/store-key")).body.errors[0].code).toBe("confirmation_needed");
    expect(await confirmBy(person.device, challenge)).toBe(200);
    expect(await confirmBy(person.device, challenge)).toBe(422);
    expect((await bare.post("/credentials", { name: "till", scopes: ["read"] })).status).toBe(200);
  });

  test("is asked for before the last way in is removed, which is refused", async () => {
    const person = await withKey();
    const [{ uid = "" } = {}] = (await person.get("/account/factors")).body.data.passkeys;
    await service.deps.db.execute("update staff set password_hash = null where uid = $1", [person.uid]);
    expect((await person.delete(`/account/passkeys/${uid}`)).body.errors[0].code).toBe("last_way_in");
    const set = await person.put("/account", { password: STAFF_PASSWORD });
    expect(set.status).toBe(200);
    expect((await person.delete(`/account/passkeys/${uid}`)).status).toBe(200);
    await cookieOf(service.url, { email: person.email, password: STAFF_PASSWORD });
  });
});

describe("sessions", () => {
  test("are listed with place and device, and each can be ended, one's own and as an owner others'", async () => {
    const person = await withKey();
    const userAgent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1";
    const came = await stranger().post(
      "/session/passkey",
      { passkey: person.device.answer(await signInChallenge()) },
      { ...CSRF, "user-agent": userAgent },
    );
    const elsewhere = adminClient(service.url, came.headers.get("set-cookie")?.split(";", 1)[0] ?? null);
    const list = (await person.get("/account/sessions")).body.data;
    expect(list.find((one: { method: string }) => one.method === "passkey")).toMatchObject({
      browser: "Safari",
      system: "iPhone",
      address: "127.0.0.1",
      is_current: false,
    });
    const { uid } = list.find((one: { is_current: boolean }) => !one.is_current);
    const viewer = await signIn(service, "viewer");
    expect((await viewer.delete(`/account/sessions/${uid}`)).status).toBe(404);
    expect((await person.delete(`/account/sessions/${uid}`)).status).toBe(200);
    expect((await elsewhere.get("/home")).status).toBe(401);
    const owner = await signIn(service, "owner");
    const [own] = (await owner.get(`/people/${person.uid}/sessions`)).body.data;
    expect((await viewer.get(`/people/${person.uid}/sessions`)).status).toBe(403);
    expect((await owner.delete(`/people/${viewer.uid}/sessions/${own.uid}`)).status).toBe(404);
    expect((await owner.delete(`/people/${person.uid}/sessions/${own.uid}`)).status).toBe(200);
    expect((await person.get("/home")).status).toBe(401);
  });
});

test("a code of an app and a passkey stand beside each other", async () => {
  const person = await withKey();
  const { secret } = (await person.post("/account/totp")).body.data;
  const codeAt = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  expect((await person.put("/account/totp", { code: codeAt(0), current_password: STAFF_PASSWORD })).status).toBe(200);
  const { email, password } = person;
  const asked = await stranger().post("/session", { email, password }, CSRF);
  expect(asked.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
    "code required",
    "passkey required",
  ]);
  await cookieOf(service.url, { email, password, code: codeAt(1) });
});
