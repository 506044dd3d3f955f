import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, adminClient, endConfirmations, STAFF_PASSWORD, signIn, signInAs } from "../support/staff.ts";

let service: TestService;
let owner: AdminClient;
/** The owner's session without the password: what a stolen cookie can do. */
let bare: ReturnType<typeof adminClient>;

beforeAll(async () => {
  service = await startTestService({ worker: false, program: { staff: { approval_limit: 1_000 } } });
});
afterAll(() => service.stop());

async function signInLongAgo(): Promise<void> {
  owner = await signIn(service, "owner");
  bare = adminClient(service.url, owner.cookie);
  await endConfirmations(service);
}

const isAsked = ({ status, body }: { status: number; body: { errors?: { title: string }[] } }) =>
  status === 403 && body.errors?.[0]?.title === "Confirm that it is you";

describe("what matters most asks for the password or a code of the last five minutes", () => {
  test("credentials, people, secrets, limits and approvals", async () => {
    await signInLongAgo();
    const { uid } = await signIn(service, "viewer");
    const support = await signIn(service, "support");
    const { storefrontId } = await makeCustomer(service.deps);
    const request = randomUUID();
    await support.post(`/customers/${storefrontId}/adjustments`, { request_uid: request, point_value: 5_000 });
    const { document, version } = (await bare.get("/program")).body.data;
    const change = (part: object) => ({ base_version: version, document: { ...document, ...part } });
    const topic = { topic: "point_balance/update" };
    const asked = await Promise.all([
      bare.post("/credentials", { name: "till", scopes: ["read"] }),
      bare.delete("/credentials/pk_nobody"),
      bare.post("/store-key"),
      bare.post("/store-key/confirm"),
      bare.post("/people", { email: "x@store.example", name: "X", role: "viewer" }),
      bare.put(`/people/${uid}`, { role: "owner" }),
      bare.post(`/people/${uid}/disable`),
      bare.post(`/people/${uid}/enable`),
      bare.post(`/people/${uid}/password`),
      bare.delete(`/people/${uid}/totp`),
      bare.delete(`/people/${uid}/sessions`),
      bare.post("/webhooks/subscriptions", { ...topic, callback_url: "http://127.0.0.1:1/" }),
      bare.post("/webhooks/subscriptions/rotate", topic),
      bare.post("/webhooks/subscriptions/confirm", topic),
      bare.post("/program", change({ staff: { approval_limit: null } })),
      bare.put("/reports", { is_on: true, kinds: [], frequency: "monthly", addresses: ["x@thief.example"] }),
      bare.post(`/approvals/${request}/approve`, {}),
    ]);
    expect(asked.map(isAsked)).toEqual(asked.map(() => true));
    const [people] = await service.deps.db.query(
      "select count(*)::integer as n from staff where email = 'x@store.example'",
    );
    expect(people).toEqual({ n: 0 });

    const free = [
      await bare.get("/people"),
      await bare.get("/credentials"),
      await bare.post("/program", change({ rewards: { signup: 3 } })),
      await bare.post(`/customers/${storefrontId}/adjustments`, { request_uid: randomUUID(), point_value: 5 }),
      await bare.put("/account", { language: "ja" }),
    ];
    expect(free.map(({ status }) => status)).toEqual(free.map(() => 200));
    expect((await bare.post("/session/confirm", { password: STAFF_PASSWORD })).status).toBe(200);
    expect((await bare.post(`/approvals/${request}/approve`, {})).status).toBe(200);
    expect((await bare.post("/credentials", { name: "till", scopes: ["read"] })).status).toBe(200);
    await endConfirmations(service);
    expect(isAsked(await bare.post("/store-key"))).toBe(true);
  });

  test("a role that lacks the permission is told so, and asked for nothing", async () => {
    const manager = await signIn(service, "manager");
    await endConfirmations(service);
    const answer = await adminClient(service.url, manager.cookie).post("/credentials", {});
    expect(answer.body.errors[0].detail).toContain("lacks the permission");
  });

  test("wrong confirmations lock, confirm nothing, and name the field", async () => {
    await signInLongAgo();
    expect((await bare.post("/session/confirm", {})).body.errors[0].source).toEqual({ pointer: "/password" });
    expect((await bare.post("/session/confirm", { code: "123456" })).body.errors[0].source).toEqual({
      pointer: "/code",
    });
    for (let i = 0; i < 4; i++) {
      const wrong = await bare.post("/session/confirm", { password: "not the password" });
      expect([wrong.status, wrong.body.errors[0].source]).toEqual([422, { pointer: "/password" }]);
    }
    expect((await bare.post("/session/confirm", { password: STAFF_PASSWORD })).status).toBe(429);
    expect(isAsked(await bare.post("/store-key"))).toBe(true);
    expect((await signInAs(service.url, owner)).uid).toBe(owner.uid); // the lock is the confirmation's alone
  });

  test("a code of the second factor does too, once, and only for the session that gave it", async () => {
    owner = await signIn(service, "owner");
    const { secret } = (await owner.post("/account/totp")).body.data;
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    await owner.put("/account/totp", { code: codeAt(0), current_password: STAFF_PASSWORD });
    const { email, password } = owner;
    const answer = await adminClient(service.url, null).post("/session", { email, password, code: codeAt(1) });
    const elsewhere = adminClient(service.url, answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "");
    await endConfirmations(service);
    await service.deps.db.execute("update staff set totp_step = 0 where uid = $1", [owner.uid]);
    bare = adminClient(service.url, owner.cookie);
    const code = codeAt(0);
    expect((await bare.post("/session/confirm", { code })).status).toBe(200);
    expect((await bare.post("/session/confirm", { code })).status).toBe(422);
    expect(isAsked(await bare.delete("/people/01900000-0000-7000-8000-000000000000/sessions"))).toBe(false);
    expect(isAsked(await elsewhere.delete("/people/01900000-0000-7000-8000-000000000000/sessions"))).toBe(true);
  });
});

describe("a node whose clock is wrong", () => {
  test.each([{ minutes: -10 }, { hours: -30 }, { minutes: 10 }])(
    "judges a confirmation by the database's clock: %o",
    async (ahead) => {
      const before = service.clock.now();
      const machine = Temporal.Now.instant();
      service.clock.set(machine);
      const other = adminClient(service.url, (await signIn(service, "owner")).cookie);
      service.clock.set(machine.add(ahead));
      expect(isAsked(await other.post("/store-key"))).toBe(false);
      await endConfirmations(service);
      for (const at of [machine.add(ahead), machine, machine.add({ minutes: -4 })]) {
        service.clock.set(at);
        expect(isAsked(await other.post("/store-key"))).toBe(true);
        expect((await other.get("/session")).body.data.confirmed_until).toBeNull();
      }
      expect((await other.post("/session/confirm", { password: STAFF_PASSWORD })).status).toBe(200);
      service.clock.set(machine);
      expect(isAsked(await other.post("/store-key"))).toBe(false);
      service.clock.set(before);
    },
  );
});

describe("a clock that was ahead for a while, and has been corrected since", () => {
  test("leaves nothing confirmed, and no session that was begun then", async () => {
    const present = service.clock.now();
    await signInLongAgo();
    const ahead = "update staff_session set confirmed_at = clock_timestamp() + interval '5 hours'"; // of an earlier version
    await service.owner.execute(ahead);
    expect(isAsked(await bare.post("/store-key"))).toBe(true);
    await service.owner.execute("update staff_session set confirmed_at = clock_timestamp() + interval '30 minutes'");
    expect(isAsked(await bare.post("/store-key"))).toBe(true);
    await service.owner.execute("update staff_session set confirmed_at = clock_timestamp() + interval '30 seconds'");
    expect(isAsked(await bare.post("/store-key"))).toBe(false); // the clock was set back a little
    service.clock.set("2028-03-01T00:00:00Z");
    const later = await signIn(service, "owner");
    service.clock.set(present);
    expect((await later.get("/people")).status).toBe(401);
    expect((await (await signIn(service, "owner")).get("/people")).status).toBe(200);
  });
});
