import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { mergeClaimedMembers } from "../../src/intake/merge-claimed-members.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
let support: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  viewer = await signIn(service, "viewer");
  support = await signIn(service, "support");
});
afterAll(() => service.stop());

const say = (patch: Parameters<typeof upsertCustomer>[2]) =>
  service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, patch));
const create = (more: object, who = support) =>
  who.post("/customers", { request_uid: randomUUID(), id: null, profile: {}, shares_email: false, ...more });
const head = async (id: string) => (await viewer.get(`/customers/${encodeURIComponent(id)}`)).body.data;
const count = async () =>
  Number((await service.deps.db.query<{ n: bigint }>("select count(*) as n from customer"))[0]?.n);

test("support creates a customer under the platform's id; a viewer does not", async () => {
  const profile = {
    name: "Hana",
    email: "Hana@example.jp",
    birthday: "--02-29",
    accepts_marketing: true,
    tags: ["b", "a"],
  };
  expect((await create({ id: "501", profile }, viewer)).status).toBe(403);
  const { status, body } = await create({ id: "501", profile });
  expect([status, body.data]).toEqual([200, { id: "501" }]);
  expect(await head("501")).toMatchObject({
    ...profile,
    email: "hana@example.jp",
    tags: ["a", "b"],
    platform_fields: [],
  });
  const [entry] = await service.deps.db.query<{ after: string }>(
    "select after::text from audit_entry where action = 'customer.created' and subject_id = '501'",
  );
  expect(entry?.after).toContain("birthday");
  expect(entry?.after).not.toContain("Hana");
});

test("bad values and taken ids name their field, and nobody is created or changed", async () => {
  await say({ storefrontId: "502", name: "There" });
  await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, "503", "test"));
  const before = await count();
  for (const [more, pointer] of [
    [{}, "/id"],
    [{ profile: { name: "No id" } }, "/id"],
    [{ id: "a@b.example", profile: {} }, "/id"],
    [{ id: "email:x", profile: {} }, "/id"],
    [{ id: "語".repeat(900), profile: {} }, "/id"],
    [{ id: "502", profile: { name: "Other" } }, "/id"],
    [{ id: "503", profile: { name: "Other" } }, "/id"],
    [{ id: "504", profile: { email: "x" } }, "/profile/email"],
    [{ id: "504", profile: { birthday: "2001-02-29" } }, "/profile/birthday"],
    [{ id: "504", profile: { tags: [""] } }, "/profile/tags"],
  ] as const) {
    const { status, body } = await create(more);
    expect([status, JSON.stringify(body).includes(`"${pointer}`)], JSON.stringify([more, body])).toEqual([422, true]);
  }
  expect(await count()).toBe(before);
  expect((await head("502")).name).toBe("There");
});

test("who has the e-mail is told before, and another is created only where that is meant", async () => {
  await say({ storefrontId: "510", name: "First", email: "shared@example.com" });
  const { body } = await support.get("/email-holders?email=Shared%40example.com");
  expect(body.data).toEqual([{ id: "510", name: "First" }]);
  expect((await viewer.get("/email-holders?email=shared%40example.com")).status).toBe(403);
  const profile = { email: "SHARED@example.com" };
  expect((await create({ id: "511", profile })).status).toBe(422);
  expect((await create({ profile, shares_email: true })).status).toBe(422);
  expect((await create({ id: "511", profile, shares_email: true })).status).toBe(200);
});

test("of two who enter the same person at once, one is refused", async () => {
  const profile = { email: "twice@example.com" };
  const answers = await Promise.all([1, 2, 3].map((n) => create({ id: `52${n}`, profile })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  const same = await Promise.all([1, 2, 3].map((n) => create({ id: "530", profile: { name: `n${n}` } })));
  expect(same.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
});

test("without an id it is a member by e-mail: sent again the same, and one with the platform's customer later", async () => {
  const form = { request_uid: randomUUID(), profile: { name: "Till", email: "till@example.com" } };
  const [one, again] = [await create(form), await create(form)];
  expect([one.status, again.status]).toEqual([200, 200]);
  expect(again.body.data.id).toBe(one.body.data.id);
  const points = { customer_id: one.body.data.id, point_value: 70, reason: { type: "reward" } };
  expect((await service.client.post("/api/storefront/point_allotments", points)).status).toBe(200);
  const profileAt = Temporal.Instant.from("2026-03-01T00:00:00Z");
  await say({ storefrontId: "540", email: "till@example.com", profileAt });
  expect(await mergeClaimedMembers(service.deps)).toBe(1);
  expect(await head("540")).toMatchObject({ name: "Till", balance: { available: 70 }, merged: [{}] });
});

test("nobody takes a member's points by the address: neither who creates a customer nor who edits one", async () => {
  const member = (await create({ profile: { email: "rich@example.com" } })).body.data.id;
  const points = { customer_id: member, point_value: 5_000 };
  expect((await service.client.post("/api/storefront/point_allotments", points)).status).toBe(200);
  const taken = await create({ id: "550", profile: { email: "RICH@example.com" }, shares_email: true });
  expect([taken.status, taken.body.errors[0].source.pointer]).toEqual([422, "/profile/email"]);

  await create({ id: "551", profile: { name: "Friend" } });
  const edit = (id: string, email: string, seen: string | null) =>
    support.put(`/customers/${encodeURIComponent(id)}/profile`, { changes: { email }, seen: { email: seen } });
  const moved = await edit("551", "Rich@example.com", null);
  expect([moved.status, moved.body.errors[0].source.pointer]).toEqual([422, "/changes/email"]);
  expect((await edit("551", "friend@example.com", null)).status).toBe(200);
  expect((await edit(member, "friend@example.com", "rich@example.com")).status).toBe(422);
  expect((await edit(member, "richer@example.com", "rich@example.com")).status).toBe(200);
  expect((await edit(member, "RICHER@example.com", "richer@example.com")).status).toBe(200);
  expect(await mergeClaimedMembers(service.deps)).toBe(0);
  expect(await head("551")).toMatchObject({ balance: { available: 0 }, merged: [] });
});
