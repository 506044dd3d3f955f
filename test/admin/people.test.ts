import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PersonRow } from "../../src/admin/people/schema.ts";
import { createStaff } from "../../src/staff/create-staff.ts";
import type { Role } from "../../src/wire/access.ts";
import { startTestService, type TestService } from "../support/service.ts";
import {
  type AdminClient,
  acceptLink,
  adminClient,
  cookieOf,
  STAFF_PASSWORD,
  signIn,
  signInAs,
} from "../support/staff.ts";

let service: TestService;
let owner: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  owner = await signIn(service, "owner");
});
afterAll(() => service.stop());

async function personOf(uid: string): Promise<PersonRow | undefined> {
  const people: PersonRow[] = (await owner.get("/people")).body.data;
  return people.find((person) => person.uid === uid);
}

describe("people", () => {
  test("are invited by a link that is shown once, and choose their password behind it", async () => {
    const wish = { email: "Hanako@Store.example", name: "山田 花子", role: "support" };
    const invited = await owner.post("/people", wish);
    expect(invited.status).toBe(200);
    const { uid, link } = invited.body.data;
    expect(link).toMatch(/\/admin\/invitation#[\w-]{43}$/);
    expect(new URL(link).origin).toBe(service.url);
    expect(await personOf(uid)).toMatchObject({
      email: "hanako@store.example",
      name: "山田 花子",
      role: "support",
      has_made_password: false,
      has_password: false,
      link_expires_at: "2026-03-04T00:00:00.000000Z",
      sessions: 0,
      seen_at: null,
    });
    const hanako = await acceptLink(service.url, { uid, link }, "hanako@store.example");
    expect((await hanako.get("/session")).body.data.staff).toMatchObject({ uid, role: "support" });
    expect(await personOf(uid)).toMatchObject({ has_password: true, link_expires_at: null, sessions: 2 });

    const again = await owner.post("/people", { ...wish, email: " hanako@store.example" });
    expect(again.status).toBe(422);
    expect(again.body.errors[0].source.pointer).toBe("/email");
    const wrong = await owner.post("/people", { ...wish, role: "boss" });
    expect(wrong.body.errors[0]).toMatchObject({ status: "422", source: { pointer: "/role" } });
  });

  test("who leaves is shown with the settings that still have the address", async () => {
    const wish = { email: "leaving@store.example", name: "Lea Ving", role: "manager" };
    const { uid } = (await owner.post("/people", wish)).body.data;
    expect(await personOf(uid)).toMatchObject({ mailed_by: [] });
    const { revision, is_on, kinds, language, grant_percent } = (await owner.get("/alerts")).body.data;
    const addresses = ["Leaving@store.example"];
    const changed = await owner.put("/alerts", { revision, is_on, kinds, language, grant_percent, addresses });
    expect(changed.status).toBe(200);
    expect(await personOf(uid)).toMatchObject({ mailed_by: ["alerts"] });
    await service.database.owner.execute("update report_setting set addresses = $1", [["leaving@store.example"]]);
    expect((await owner.post(`/people/${uid}/disable`)).status).toBe(200);
    expect(await personOf(uid)).toMatchObject({ mailed_by: ["alerts", "reports"] });
    expect(await personOf(owner.uid)).toMatchObject({ mailed_by: [] });
  });

  test("one's own password and second factor are changed at the account alone", async () => {
    const { uid } = owner;
    expect((await owner.post(`/people/${uid}/password`)).status).toBe(409);
    expect((await owner.delete(`/people/${uid}/totp`)).status).toBe(409);
    expect((await owner.get("/audit")).status).toBe(200);
    await signInAs(service.url, owner);
  });

  test("a changed role holds from the next request on, in the same session", async () => {
    const person = await signIn(service, "viewer");
    expect((await person.get("/audit")).status).toBe(403);
    expect((await owner.put(`/people/${person.uid}`, { role: "manager" })).status).toBe(200);
    expect((await person.get("/audit")).status).toBe(200);
    expect((await person.get("/session")).body.data.permissions).toContain("audit.view");
    await owner.put(`/people/${person.uid}`, { role: "viewer" });
    expect((await person.get("/audit")).status).toBe(403);
  });

  test("being disabled or given another password ends every session at once", async () => {
    const person = await signIn(service, "manager");
    const other = adminClient(service.url, await cookieOf(service.url, person));
    await owner.post(`/people/${person.uid}/disable`);
    expect((await person.get("/audit")).status).toBe(401);
    expect((await other.get("/audit")).status).toBe(401);
    await owner.post(`/people/${person.uid}/enable`);
    expect((await person.get("/audit")).status).toBe(401);
    const again = await signInAs(service.url, person);
    const reset = await owner.post(`/people/${person.uid}/password`);
    expect((await again.get("/audit")).status).toBe(401);
    const { uid, email } = person;
    const last = await acceptLink(service.url, reset.body.data, email);
    expect((await owner.delete(`/people/${uid}/sessions`)).status).toBe(200);
    expect((await last.get("/audit")).status).toBe(401);
  });

  test("unknown people are not found", async () => {
    const uid = "01900000-0000-7000-8000-000000000000";
    const answers = await Promise.all([
      owner.put(`/people/${uid}`, { role: "viewer" }),
      owner.post(`/people/${uid}/disable`),
      owner.post(`/people/${uid}/password`),
      owner.delete(`/people/${uid}/totp`),
      owner.delete(`/people/${uid}/sessions`),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404]);
  });
});

describe("the last owner", () => {
  let shop: TestService;
  beforeAll(async () => {
    shop = await startTestService({ worker: false });
  });
  afterAll(() => shop.stop());

  const owners = async () =>
    (await shop.deps.db.query("select uid from staff where role = 'owner' and disabled_at is null")).length;
  const wish = (name: string, role: Role) => ({ email: `${name}@store.example`, name, role, password: STAFF_PASSWORD });

  test("comes first, and cannot be demoted or disabled", async () => {
    await expect(createStaff(shop.deps, wish("early", "manager"))).rejects.toMatchObject({ code: "invalid" });
    const only = await signIn(shop, "owner");
    expect((await only.put(`/people/${only.uid}`, { role: "manager" })).status).toBe(409);
    expect((await only.post(`/people/${only.uid}/disable`)).status).toBe(409);
    expect(await owners()).toBe(1);
  });

  test("two who demote or disable each other at once leave one", async () => {
    const first = await signIn(shop, "owner");
    const others = await shop.deps.db.query<{ uid: string }>("select uid from staff where uid <> $1", [first.uid]);
    for (const { uid } of others) await first.post(`/people/${uid}/disable`);
    const second = await signIn(shop, "owner");
    const answers = await Promise.all([
      first.put(`/people/${second.uid}`, { role: "viewer" }),
      second.post(`/people/${first.uid}/disable`),
    ]);
    expect(await owners()).toBe(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });
});
