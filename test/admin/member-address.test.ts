import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { mergeClaimedMembers } from "../../src/intake/merge-claimed-members.ts";
import { assignWaitingOrders } from "../../src/orders/assign-waiting-orders.ts";
import { balanceOf } from "../support/csv.ts";
import { checkCustomers, customerLines, faultsOf, startCustomers } from "../support/customer-import.ts";
import { placeGuestOrder } from "../support/guest-order.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

let service: TestService;
let support: AdminClient;

beforeAll(async () => {
  const staff = { approval_limit: 1_000, daily_limit: 1_500 };
  service = await startTestService({ worker: false, program: { staff } });
});
/** Each test begins with somebody who has moved nothing. */
beforeEach(async () => {
  support = await signIn(service, "support");
});
afterAll(() => stopVerified(service));

/** A member who is known only by e-mail and has points, as a move from another app creates them. Returns the id. */
async function member(email: string, points: number): Promise<string> {
  const entered = { request_uid: randomUUID(), id: null, profile: { email }, shares_email: false };
  const { body } = await support.post("/customers", entered);
  const given = { customer_id: body.data.id, point_value: points };
  if (points > 0) expect((await service.client.post("/api/storefront/point_allotments", given)).status).toBe(200);
  return body.data.id;
}

const edit = (id: string, email: string | null, seen: string | null, by = support) =>
  by.put(`/customers/${encodeURIComponent(id)}/profile`, { changes: { email }, seen: { email: seen } });

/** Somebody registers at the shop with an address. */
async function register(storefrontId: string, email: string): Promise<void> {
  const profileAt = service.clock.now();
  await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId, email, profileAt }));
  await mergeClaimedMembers(service.deps);
}

const points = (id: string) => balanceOf(service.deps, id);

describe("another address of a member who is known only by it", () => {
  test("gives nobody more points than one person may move: it is refused, whoever asks and in however many steps", async () => {
    const rich = await member("rich@example.com", 50_000);
    const manager = await signIn(service, "manager");
    for (const by of [support, manager]) {
      const refused = await edit(rich, "thief@example.com", "rich@example.com", by);
      expect([refused.status, refused.body.errors[0].source.pointer]).toEqual([422, "/changes/email"]);
      expect(refused.body.errors[0].detail).toContain("gives the member's 50000 points to whoever has it");
    }
    expect((await edit(rich, null, "rich@example.com")).status).toBe(200);
    expect((await edit(rich, "thief@example.com", null)).status).toBe(422);
    await register("thief", "thief@example.com");
    expect([await points("thief"), await points(rich)]).toEqual([0n, 50_000n]);
  });

  test("counts with what the person moved, for the customer and the day", async () => {
    const [first, second, third] = [
      await member("first@example.com", 900),
      await member("second@example.com", 700),
      await member("third@example.com", 0),
    ];
    expect((await edit(first, "typo@example.com", "first@example.com")).status).toBe(200);
    expect((await edit(first, "TYPO@example.com", "typo@example.com")).status).toBe(200);
    expect((await edit(first, "again@example.com", "typo@example.com")).status).toBe(422);
    expect((await edit(second, "other@example.com", "second@example.com")).status).toBe(422);
    expect((await edit(third, "free@example.com", "third@example.com")).status).toBe(200);
    const wanted = { request_uid: randomUUID(), point_value: 200 };
    const { body } = await support.post(`/customers/${encodeURIComponent(first)}/adjustments`, wanted);
    expect(body.data.state).toBe("waiting");
    await register("first-of-shop", "typo@example.com");
    expect(await points("first-of-shop")).toBe(900n);
  });

  test("at once counts once: two edits of two members do not share the room", async () => {
    const ids = [await member("one@example.com", 800), await member("two@example.com", 800)];
    const answers = await Promise.all(
      ids.map((id, n) => edit(id, `new${n}@example.com`, `${n === 0 ? "one" : "two"}@example.com`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test("of a customer with an id of the shop counts nothing: the id decides", async () => {
    const given = { customer_id: "own-server", point_value: 5_000 };
    await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId: "own-server" }));
    expect((await service.client.post("/api/storefront/point_allotments", given)).status).toBe(200);
    expect((await edit("own-server", "entered@example.com", null)).status).toBe(200);
  });
});

/** A guest buys something that can award points. */
async function buyAsGuest(email: string, points: number): Promise<void> {
  await (await placeGuestOrder(service, email, points))();
}

describe("another address of a member whose orders have yet to award", () => {
  test("gives their points away too: it is refused, and a friend who registers with it gets nothing", async () => {
    const pay = await placeGuestOrder(service, "unpaid@example.com", 3_000);
    const known = await member("unpaid@example.com", 0);
    await assignWaitingOrders(service.deps);
    expect(await points(known)).toBe(0n);
    const { status, body } = await edit(known, "friend@example.com", "unpaid@example.com");
    expect(status).toBe(422);
    expect(body.errors[0].detail).toContain("3000 points, 3000 of them from orders that have not awarded them yet,");
    expect((await edit(known, null, "unpaid@example.com")).status).toBe(200);
    expect((await edit(known, "friend@example.com", null)).status).toBe(422);
    await pay();
    expect(await points(known)).toBe(3_000n);
  });

  test("gives those away that it is about to get under the former address", async () => {
    await buyAsGuest("soon@example.com", 3_000);
    const known = await member("soon@example.com", 0);
    expect((await edit(known, "late@example.com", "soon@example.com")).status).toBe(422);
    await assignWaitingOrders(service.deps);
    expect(await points(known)).toBe(3_000n);
  });
});

describe("an address under which guests' orders wait", () => {
  const create = (id: string, email: string) =>
    support.post("/customers", { request_uid: randomUUID(), id, profile: { email }, shares_email: false });

  test("gives nobody more points than one person may move, by a new customer or an existing one", async () => {
    await buyAsGuest("guest@example.com", 700);
    await buyAsGuest("guest@example.com", 500);
    await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId: "friend" }));
    const [edited, created] = [
      await edit("friend", "Guest@example.com", null),
      await create("new", "guest@example.com"),
    ];
    for (const { status, body } of [edited, created]) {
      expect(status).toBe(422);
      expect(body.errors[0].detail).toContain("gives the customer 1200 points of guests' orders");
    }
    const pointers = [edited, created].map(({ body }) => body.errors[0].source.pointer);
    expect(pointers).toEqual(["/changes/email", "/profile/email"]);
    await assignWaitingOrders(service.deps);
    expect(await points("friend")).toBe(0n);
    const known = await member("guest@example.com", 0); // the address is the guest's own
    await assignWaitingOrders(service.deps);
    expect(await points(known)).toBe(1_200n);
  });

  test("counts with what the person moved", async () => {
    for (const [n, waiting] of [900, 500, 200].entries()) await buyAsGuest(`g${n}@example.com`, waiting);
    const answers = [
      await create("g0", "g0@example.com"),
      await create("g1", "g1@example.com"),
      await create("g2", "g2@example.com"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422]);
    await assignWaitingOrders(service.deps);
    expect([await points("g0"), await points("g1")]).toEqual([900n, 500n]);
  });
});

describe("a file of customers", () => {
  test("gives such a member no other address, also one that was the member's when the file was checked", async () => {
    const manager = await signIn(service, "manager");
    const [kept, renamed] = [await member("kept@example.com", 50_000), await member("before@example.com", 10)];
    const gone = await member("gone@example.com", 0);
    const data = await checkCustomers(
      service,
      manager,
      customerLines(
        `${kept},own@example.com,Name,,,`,
        `${renamed},before@example.com,Named,,,`,
        `${gone},gone@example.com,Gone,,,`,
      ),
    );
    expect(await faultsOf(manager, data.uid, "check")).toEqual([`2 id_of_another ${kept}`]);
    expect((await edit(renamed, "after@example.com", "before@example.com")).status).toBe(200);
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, gone, "test"));
    await startCustomers(service, manager, data.uid);
    await workImports(service.deps);
    expect(await faultsOf(manager, data.uid, "import")).toEqual([`3 id_of_another ${renamed}`, "4 customer_gone null"]);
    await register("own", "own@example.com");
    expect([await points("own"), await points(kept)]).toEqual([0n, 50_000n]);
  });
});
