import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { pruneReceipts } from "../../../src/intake/prune-receipts.ts";
import { reprocessReceipt } from "../../../src/intake/reprocess-receipt.ts";
import { runReceipts } from "../../../src/intake/run-receipts.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";

const PATH = "/intake/events";

let service: IntakeService;

beforeAll(async () => {
  service = await startIntakeService({ log: () => {} });
});
afterAll(() => service.stop());
afterEach(() => service.owner.execute("delete from receipt"));

function named(id: string, name: string): object {
  return { type: "CustomerUpserted", payload: { customer_id: id, name } };
}

async function makeDue(): Promise<void> {
  await service.deps.db.execute("update receipt set due_at = '-infinity'");
}

/** A customer whose rows contradict each other, so that each of its events meets a bug. */
async function poison(id: string): Promise<void> {
  await service.client.post(PATH, named(id, "x"));
  await service.drain();
  await service.deps.db.execute(
    `delete from balance
     where (bucket, customer_uid) in (select bucket, customer_uid from customer_alias where storefront_id = $1)`,
    [id],
  );
  await service.owner.execute("delete from receipt");
}

test("an event whose time is of a clock that was ahead is processed; one that waits after a failure is not", async () => {
  await service.client.post(PATH, [named("ahead", "x"), named("waits", "x")]);
  const times =
    "case subject when 'customer/ahead' then now() + interval '1 day' else now() + interval '2 minutes' end";
  await service.deps.db.execute(`update receipt set due_at = ${times}`);
  await service.drain();
  const states = await service.deps.db.query("select subject, state from receipt order by subject");
  expect(states).toEqual([
    { subject: "customer/ahead", state: "done" },
    { subject: "customer/waits", state: "new" },
  ]);
});

test("many workers take each receipt once, those of one subject in the order in which they came", async () => {
  const subjects = Array.from({ length: 12 }, (_, n) => `order-${n}`);
  for (let round = 0; round < 8; round++) {
    await service.client.post(
      PATH,
      subjects.map((id) => named(id, `name ${round}`)),
    );
  }
  const db = service.deps.db;
  await service.owner.execute("create table seen (n bigint generated always as identity, subject text, uid uuid)");
  await service.owner.execute(
    `create function see() returns trigger language plpgsql
     as 'begin insert into seen (subject, uid) values (new.subject, new.uid); return new; end'`,
  );
  await service.owner.execute("create trigger see after update on receipt for each row execute function see()");
  await Promise.all(Array.from({ length: 4 }, () => processAllReceipts(service.deps)));
  const seen = await db.query<{ subject: string; uid: string }>("select subject, uid from seen order by n");
  await service.owner.execute("drop trigger see on receipt");
  expect(seen).toHaveLength(12 * 8);
  for (const id of subjects) {
    const uids = seen.filter(({ subject }) => subject === `customer/${id}`).map(({ uid }) => uid);
    expect(uids).toEqual([...new Set(uids)].sort());
    expect((await service.client.get(`/api/storefront/customers/${id}`)).body.data.name).toBe("name 7");
  }
});

test("guests' orders and their customers, all at once: every customer gets the points", async () => {
  const names = Array.from({ length: 40 }, (_, n) => `guest-${n}`);
  const money = { minor: 1_000, currency: "JPY" };
  const eventsOf = (name: string) => [
    {
      type: "OrderPaid",
      occurred_at: "2026-02-01T00:00:00Z",
      payload: {
        order_id: name,
        customer_id: null,
        email: `${name}@example.com`,
        shop_currency: "JPY",
        lines: [{ line_id: `${name}-1`, quantity: 1, unit_price: money }],
      },
    },
    { type: "CustomerUpserted", payload: { customer_id: name, email: `${name}@example.com` } },
    {
      type: "OrderFulfilled",
      occurred_at: "2026-02-02T00:00:00Z",
      payload: {
        order_id: name,
        fulfillment: { fulfillment_id: name, lines: [{ line_id: `${name}-1`, quantity: 1 }] },
      },
    },
    { type: "CustomerUpserted", payload: { customer_id: name, name } },
  ];
  await service.client.post(PATH, names.flatMap(eventsOf));
  await Promise.all([processAllReceipts(service.deps), processAllReceipts(service.deps)]);
  expect((await service.receipts()).filter(({ state }) => state !== "done")).toEqual([]);
  for (const name of names) {
    const answer = await service.client.get(`/api/storefront/point_balance/${name}`);
    expect([name, answer.body.data.point_balance]).toEqual([name, 10]);
  }
});

test("a receipt that fails is tried again, then failed, its error kept, and holds up nobody", async () => {
  await poison("poisoned");
  await service.client.post(PATH, [named("poisoned", "a"), named("healthy", "b")]);
  await service.drain();
  const [first, second] = await service.receipts();
  expect(first).toMatchObject({ state: "new", attempts: 1, note: expect.stringContaining("Error: ") });
  expect(second).toMatchObject({ state: "done" });
  for (let attempts = 2; attempts <= 5; attempts++) {
    await service.drain();
    expect((await service.receipts())[0]?.attempts).toBe(attempts - 1);
    await makeDue();
    await service.drain();
    expect((await service.receipts())[0]?.attempts).toBe(attempts);
  }
  expect((await service.receipts())[0]).toMatchObject({ state: "failed", note: expect.stringContaining("Error: ") });
  await makeDue();
  await service.drain();
  expect((await service.receipts())[0]?.attempts).toBe(5);
});

test("a failed receipt is not lost: it can be processed again", async () => {
  await poison("repaired");
  await service.client.post(PATH, named("repaired", "after the repair"));
  for (let attempt = 1; attempt <= 5; attempt++) {
    await makeDue();
    await service.drain();
  }
  const [failed] = await service.receipts();
  expect(failed?.state).toBe("failed");
  await service.deps.db.execute(
    `insert into balance (bucket, customer_uid)
     select bucket, customer_uid from customer_alias where storefront_id = 'repaired'`,
  );
  expect(await again(failed?.uid)).toBe("new");
  await service.drain();
  expect(await service.receipts()).toMatchObject([{ state: "done", note: null }]);
  expect((await service.client.get("/api/storefront/customers/repaired")).body.data.name).toBe("after the repair");
});

test("bodies of what is done go after 30 days, the rows stay, and a late copy is still known", async () => {
  const event = { ...named("pruned", "a"), delivery_key: "pruned-1" };
  await service.client.post(PATH, event);
  await service.drain();
  await service.client.post(PATH, { type: "OrderCancelled", delivery_key: "waits", payload: { order_id: "never" } });
  await service.drain();
  service.clock.advance({ hours: 24 * 29 });
  expect(await pruneReceipts(service.deps)).toBe(0);
  service.clock.advance({ hours: 25 });
  expect(await pruneReceipts(service.deps)).toBe(1);
  const rows = await service.deps.db.query("select state, body is null as gone from receipt order by uid");
  expect(rows).toEqual([
    { state: "done", gone: true },
    { state: "waiting", gone: false },
  ]);
  const [done] = await service.receipts();
  await expect(again(done?.uid)).rejects.toMatchObject({ code: "gone" });
});

test("a worker takes what comes, until it is stopped", async () => {
  const ending = new AbortController();
  const listeners = new Set<() => void>();
  const onWake = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const workers = [
    runReceipts(service.deps, { signal: ending.signal, onWake }),
    runReceipts(service.deps, { signal: ending.signal }),
  ];
  const answer = await service.client.post(PATH, [named("worked", "a"), named("worked", "b")], { prefer: "wait=10" });
  expect(answer.body.data.map(({ status }: { status: string }) => status)).toEqual(["done", "done"]);
  ending.abort();
  await Promise.all(workers);
  expect(listeners.size).toBe(0);
  await service.client.post(PATH, named("worked", "c"));
  expect((await service.receipts()).at(-1)?.state).toBe("new");
});

function again(uid = ""): Promise<string> {
  return service.deps.db.tx((tx) => reprocessReceipt(tx, service.deps, uid));
}
