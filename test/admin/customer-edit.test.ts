import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
let support: AdminClient;
const SEEN = {
  ...{ name: "Hana", name_reading: null, email: "hana@example.jp" },
  ...{ birthday: null, accepts_marketing: null, tags: ["vip"] },
};

beforeAll(async () => {
  service = await startTestService({ worker: false });
  await say({ storefrontId: "1", name: "Hana", email: "hana@example.jp", tags: ["vip"] });
  viewer = await signIn(service, "viewer");
  support = await signIn(service, "support");
});
afterAll(() => service.stop());

const say = (patch: Parameters<typeof upsertCustomer>[2]) =>
  service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, patch));
const head = async (id = "1") => (await viewer.get(`/customers/${id}`)).body.data;
const edit = (changes: object, seen: object = SEEN, id = "1") =>
  support.put(`/customers/${id}/profile`, { changes, seen });

test("a viewer changes nothing", async () => {
  expect((await viewer.put("/customers/1/profile", { changes: { name: "X" }, seen: SEEN })).status).toBe(403);
  expect((await head()).name).toBe("Hana");
});

test("bad values name their field and change nothing", async () => {
  for (const [field, value] of [
    ["email", "nobody"],
    ["birthday", "2001-02-29"],
    ["tags", [""]],
    ["name", "x".repeat(256)],
    ["name_reading", "あ".repeat(256)],
  ] as const) {
    const { status, body } = await edit({ name: "X", [field]: value });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(`/changes/${field}`);
  }
  const { status, body } = await edit({ name: "X" }, {});
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain("/seen/name");
  expect((await head()).name).toBe("Hana");
});

test("fields are changed, absent ones stay, and the audit log names the fields without their values", async () => {
  const names = { name: "Hanako", name_reading: "はなこ" };
  const changes = { ...names, birthday: "--04-12", accepts_marketing: true, tags: ["vip", "tea", "tea"] };
  expect((await edit(changes)).status).toBe(200);
  expect(await head()).toMatchObject({ ...changes, tags: ["tea", "vip"], email: "hana@example.jp" });
  const [entry, more] = await service.deps.db.query<{ after: string }>(
    "select subject_id, actor_name, after::text from audit_entry where action = 'customer.edited'",
  );
  expect(more).toBeUndefined();
  expect(entry).toMatchObject({ subject_id: "1" });
  expect(entry?.after).toContain("birthday");
  expect(entry?.after).not.toContain("Hanako");
  expect(entry?.after).not.toContain("はなこ");
});

test("a field that somebody changed meanwhile is not overwritten; another field is", async () => {
  const { status, body } = await edit({ name: "Late", tags: ["late"], birthday: "1990-01-01" });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain("changed meanwhile");
  expect(await head()).toMatchObject({ name: "Hanako", birthday: "--04-12" });
  expect((await edit({ email: "H@example.jp" })).status).toBe(200);
  expect(await head()).toMatchObject({ name: "Hanako", email: "h@example.jp" });
});

test("of two people who save at once, one is refused", async () => {
  await say({ storefrontId: "2", name: "Before" });
  const seen = { name: "Before" };
  const answers = await Promise.all(["A", "B", "C"].map((name) => edit({ name }, seen, "2")));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  expect((await head("2")).name).toBe(["A", "B", "C"][answers.findIndex(({ status }) => status === 200)]);
});

test("what the platform has stated is changed there; what it states later replaces what was entered", async () => {
  const [first, later] = ["2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"].map((at) => Temporal.Instant.from(at));
  await say({ storefrontId: "3", name: "Of the shop", email: "shop@example.com", profileAt: first });
  expect((await head("3")).platform_fields).toEqual(["name", "email"]);
  const refused = await edit({ name: "Mine", birthday: "1990-01-01" }, { name: "Of the shop", birthday: null }, "3");
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain("kept by the store's platform");
  expect(await head("3")).toMatchObject({ name: "Of the shop", birthday: null });

  expect((await edit({ birthday: "1990-01-01" }, { birthday: null }, "3")).status).toBe(200);
  await say({ storefrontId: "3", name: "Of the shop", profileAt: first });
  expect((await head("3")).birthday).toBe("1990-01-01");
  await say({ storefrontId: "3", birthday: "1991-02-02", profileAt: later });
  expect(await head("3")).toMatchObject({ birthday: "1991-02-02", platform_fields: ["name", "email", "birthday"] });
  expect((await edit({ birthday: "1990-01-01" }, { birthday: "1991-02-02" }, "3")).status).toBe(422);
});

test("an unknown customer is not made", async () => {
  expect((await edit({ name: "X" }, { name: null }, "nobody")).status).toBe(404);
  expect((await viewer.get("/customers/nobody")).status).toBe(404);
});
