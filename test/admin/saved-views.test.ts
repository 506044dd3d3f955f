import { afterAll, beforeAll, expect, test } from "vitest";
import { VIEWS_MAX } from "../../src/wire/saved-views.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn, signInAs } from "../support/staff.ts";

// A view is a person's own or everybody's, keeps nothing of a customer, and there are not more than so many.
let service: TestService;
let manager: AdminClient;
let viewer: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
  viewer = await signIn(service, "viewer");
});
afterAll(() => service.stop());

const names = async (who: AdminClient, list = "orders"): Promise<string[]> =>
  (await who.get(`/views?list=${list}`)).body.data.map(({ name }: { name: string }) => name);
const view = (name: string, more: object = {}) => ({
  list: "orders",
  name,
  filters: { state: "waiting" },
  is_shared: false,
  ...more,
});

test("one's own is seen by oneself alone, a shared one by all", async () => {
  expect((await manager.post("/views", view("My waiting"))).status).toBe(200);
  expect((await manager.post("/views", view("All waiting", { is_shared: true }))).status).toBe(200);
  expect(await names(manager)).toEqual(["My waiting", "All waiting"]);
  expect(await names(viewer)).toEqual(["All waiting"]);
  expect(await names(viewer, "customers")).toEqual([]);
  const [shared] = (await viewer.get("/views?list=orders")).body.data;
  expect(shared).toMatchObject({ filters: { state: "waiting" }, is_shared: true, is_own: false, can_change: false });
  const [, own] = (await manager.get("/views?list=orders")).body.data;
  expect(own).toMatchObject({ is_shared: true, is_own: true, can_change: true });
});

test("a viewer saves views and shares none; nobody removes another's own", async () => {
  expect((await viewer.post("/views", view("Shared", { is_shared: true }))).status).toBe(403);
  const made = await viewer.post("/views", view("Mine"));
  expect(made.status).toBe(200);
  expect((await manager.delete(`/views/${made.body.data.uid}`)).status).toBe(404);
  const [shared] = (await manager.get("/views?list=orders")).body.data.filter(
    (one: { name: string }) => one.name === "All waiting",
  );
  expect((await viewer.delete(`/views/${shared.uid}`)).status).toBe(403);
  expect((await viewer.delete(`/views/${made.body.data.uid}`)).status).toBe(200);
  expect((await manager.delete(`/views/${shared.uid}`)).status).toBe(200);
  expect((await manager.get("/audit?subject_kind=saved_view")).body.data).toMatchObject([
    { action: "view.removed", subject: { name: "All waiting" } },
    { action: "view.shared", subject: { name: "All waiting" } },
  ]);
});

test("a view gets another name and other filters from whoever may remove it", async () => {
  const uidOf = async (who: AdminClient, name: string, more: object = {}): Promise<string> =>
    (await who.post("/views", view(name, { list: "ledger", filters: { type: "order" }, ...more }))).body.data.uid;
  const [own, shared] = [await uidOf(manager, "Own"), await uidOf(manager, "Shared", { is_shared: true })];
  await uidOf(manager, "Other");
  expect((await manager.put(`/views/${own}`, { name: " Mine " })).status).toBe(200);
  expect((await manager.put(`/views/${shared}`, { filters: { type: "refund", direction: "taken" } })).status).toBe(200);
  const same = { name: "Shared", filters: { direction: "taken", type: "refund" } };
  expect((await manager.put(`/views/${shared}`, same)).status).toBe(200);
  const shown = (await manager.get("/views?list=ledger")).body.data;
  expect(shown.map(({ name, filters }: { name: string; filters: object }) => [name, filters])).toEqual([
    ["Mine", { type: "order" }],
    ["Other", { type: "order" }],
    ["Shared", { type: "refund", direction: "taken" }],
  ]);
  expect((await viewer.put(`/views/${own}`, { name: "Theirs" })).status).toBe(404);
  expect((await viewer.put(`/views/${shared}`, { name: "Theirs" })).status).toBe(403);
  const pointerOf = async (uid: string, body: object) =>
    (await manager.put(`/views/${uid}`, body)).body.errors[0].source.pointer;
  expect(await pointerOf(own, { name: "OTHER" })).toBe("/name");
  expect(await pointerOf(own, { name: " " })).toBe("/name");
  expect(await pointerOf(own, { filters: { q: "hanako@example.com" } })).toBe("/filters/q");
  expect((await manager.put(`/views/${own}`, {})).status).toBe(422);
  expect((await manager.put(`/views/${own}`, { is_shared: true })).status).toBe(422);
  expect(await names(manager, "ledger")).toEqual(["Mine", "Other", "Shared"]);
  const changes = (await manager.get("/audit?action=view.changed")).body.data;
  expect(changes).toMatchObject([
    {
      before: { list: "ledger", name: "Shared", filters: { type: "order" } },
      after: { filters: { type: "refund", direction: "taken" } },
    },
  ]);
});

test("a view opens its list for one person, wherever they sign in, until another does or it is removed", async () => {
  const support = await signIn(service, "support");
  const make = async (who: AdminClient, name: string, more: object = {}): Promise<string> =>
    (await who.post("/views", view(name, more))).body.data.uid;
  const own = await make(support, "Start");
  const shared = await make(manager, "Start of all", { is_shared: true });
  const elsewhere = await signInAs(service.url, support);
  const defaults = async (who: Pick<AdminClient, "get">) => (await who.get("/session")).body.data.default_views;
  expect(await defaults(support)).toEqual([]);
  expect((await support.put(`/views/${own}/default`, {})).status).toBe(200);
  for (const who of [support, elsewhere]) {
    expect(await defaults(who)).toEqual([{ list: "orders", uid: own, filters: { state: "waiting" } }]);
  }
  expect(await defaults(manager)).toEqual([]);
  expect((await manager.put(`/views/${own}/default`, {})).status).toBe(404);
  expect((await support.put(`/views/${shared}/default`, {})).status).toBe(200);
  expect((await support.delete(`/views/${own}/default`)).status).toBe(200);
  expect((await manager.put(`/views/${shared}`, { filters: { state: "pending" } })).status).toBe(200);
  const stillOther = { list: "orders", uid: shared, filters: { state: "pending" } };
  expect(await defaults(elsewhere)).toEqual([stillOther]);
  const ledger = await make(support, "Taken", { list: "ledger", filters: { direction: "spent" } });
  expect((await support.put(`/views/${ledger}/default`, {})).status).toBe(200);
  expect((await defaults(support)).map(({ list }: { list: string }) => list)).toEqual(["ledger", "orders"]);
  expect((await support.delete(`/views/${ledger}/default`)).status).toBe(200);
  expect(await defaults(support)).toEqual([stillOther]);
  expect((await manager.delete(`/views/${shared}`)).status).toBe(200);
  expect(await defaults(support)).toEqual([]);
  expect(await defaults({ get: (path) => service.client.get(`/admin/api${path}`) })).toEqual([]);
});

test("a name stands once, and a filter that may name a customer is refused", async () => {
  expect((await manager.post("/views", view("my WAITING"))).body.errors[0].source.pointer).toBe("/name");
  expect((await manager.post("/views", view(" "))).body.errors[0].source.pointer).toBe("/name");
  const typed = await manager.post("/views", view("Found", { filters: { q: "hanako@example.com" } }));
  expect(typed.body.errors[0].source.pointer).toBe("/filters/q");
  const long = await manager.post("/views", view("Long", { filters: { state: "x".repeat(1_001) } }));
  expect(long.status).toBe(422);
  expect((await manager.post("/views", view("Elsewhere", { list: "people" }))).status).toBe(422);
  const failed = { list: "mails", filters: { about: "customer", state: "failed" } };
  expect((await manager.post("/views", view("Failed", failed))).status).toBe(200);
  const address = await manager.post(
    "/views",
    view("Hanako", { list: "mails", filters: { to: "hanako@example.com" } }),
  );
  expect(address.body.errors[0].source.pointer).toBe("/filters/to");
});

test("there are at most so many of one's own", async () => {
  const support = await signIn(service, "support");
  const made = await Promise.all(
    Array.from({ length: VIEWS_MAX.own + 3 }, (_, n) => support.post("/views", view(`View ${n}`))),
  );
  expect(made.filter(({ status }) => status === 200)).toHaveLength(VIEWS_MAX.own);
  expect(await names(support)).toHaveLength(VIEWS_MAX.own);
});
