import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPool } from "../../../src/db/pool.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { type Outcome, type Posting, plainPosting } from "../../../src/ledger/posting.ts";
import type { CustomerPosting } from "../../../src/ledger/queue/posting-batch.ts";
import { createRequestQueue } from "../../../src/points/create-request-queue.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startCuttingProxy } from "../../support/cutting-proxy.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { stopVerified } from "../../support/stop-verified.ts";
import { waitUntil } from "../../support/wait-until.ts";

const PATH = "/api/storefront/point_allotments";
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, log: () => {} });
});
afterAll(() => stopVerified(service));

function add(pointValue: bigint, more: Partial<Posting> = {}): Posting {
  return {
    ...plainPosting(service.deps.random.uid(), "api", "test", { kind: "add", pointValue, shortfall: "refuse" }),
    ...more,
  };
}

const post = (...postings: CustomerPosting[]): Promise<Outcome[]> =>
  service.deps.db.tx((tx) => postAllotments(tx, service.deps, postings));

const balanceOf = async (id: string) =>
  (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;

/** A promise and its key. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe("the write path", () => {
  test("what is read after waiting for a lock is what the lock's last holder left", async () => {
    const customer = await makeCustomer(service.deps);
    await post({ customer, posting: add(100n) });
    const posted = gate();
    const released = gate();
    const first = service.deps.db.tx(async (tx) => {
      const [outcome] = await postAllotments(tx, service.deps, [{ customer, posting: add(-80n) }]);
      posted.open();
      await released.opened;
      return outcome;
    });
    await posted.opened;
    const second = post({ customer, posting: add(-50n) });
    const third = post({ customer, posting: add(-20n) });
    released.open();
    expect((await first)?.kind).toBe("posted");
    const kinds = [(await second)[0], (await third)[0]].map((outcome) => outcome?.kind);
    expect(kinds).toEqual(["refused", "posted"]);
    expect(await balanceOf(customer.storefrontId)).toBe(0);
  });

  test("a source counts once in a batch, whatever customer it goes to", async () => {
    const one = await makeCustomer(service.deps);
    const two = await makeCustomer(service.deps);
    const key = { sourceKey: "flow/run-1" };
    const outcomes = await post(
      { customer: one, posting: add(5n, key) },
      { customer: two, posting: add(5n, key) },
      { customer: one, posting: add(5n, key) },
    );
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(["duplicate", "duplicate", "posted"]);
    const again = await post({ customer: two, posting: add(7n, key) });
    expect(again[0]).toMatchObject({ kind: "duplicate", pointValue: 5n });
    expect((await balanceOf(one.storefrontId)) + (await balanceOf(two.storefrontId))).toBe(5);
  });

  test("a source that two transactions claim at once counts once", async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => makeCustomer(service.deps)));
    const results = await Promise.allSettled(
      customers.map((customer) => post({ customer, posting: add(5n, { sourceKey: "flow/run-2" }) })),
    );
    const posted = results.filter((result) => result.status === "fulfilled" && result.value[0]?.kind === "posted");
    expect(posted).toHaveLength(1);
    const balances = await Promise.all(customers.map((customer) => balanceOf(customer.storefrontId)));
    expect(balances.reduce((sum, points) => sum + points, 0)).toBe(5);
  });

  test("a statement that writes fewer rows than it must undoes everything", async () => {
    const customer = await makeCustomer(service.deps);
    await post({ customer, posting: add(100n) });
    await service.owner.execute("create function lose() returns trigger language plpgsql as 'begin return null; end'");
    for (const table of ["draw", "lot", "allotment"]) {
      await service.owner.execute(
        `create trigger lose before insert or update on ${table} for each row execute function lose()`,
      );
      await expect(post({ customer, posting: add(-10n) }, { customer, posting: add(3n) })).rejects.toThrow(
        /wrote 0 rows/,
      );
      const single = await service.client.post(PATH, {
        customer_id: customer.storefrontId,
        point_value: table === "draw" ? -1 : 1,
      });
      expect(single.status, table).toBe(500); // its COMMIT is sent behind the statement that fails
      await service.owner.execute(`drop trigger lose on ${table}`);
    }
    expect(await balanceOf(customer.storefrontId)).toBe(100);
    const [{ count } = { count: -1 }] = await service.deps.db.query<{ count: number }>(
      `select count(*)::int from allotment a join customer_alias c using (bucket, customer_uid) where c.storefront_id = $1`,
      [customer.storefrontId],
    );
    expect(count).toBe(1);
  });

  test("a posting that fails its batch fails alone", async () => {
    const customers = await Promise.all(Array.from({ length: 40 }, () => makeCustomer(service.deps)));
    await service.owner.execute(
      "create function refuse() returns trigger language plpgsql as 'begin if new.point_value = 13 then raise exception ''planted''; end if; return new; end'",
    );
    await service.owner.execute(
      "create trigger refuse before insert on allotment for each row execute function refuse()",
    );
    const answers = await Promise.all(
      customers.map(({ storefrontId }, i) =>
        service.client.post(PATH, { customer_id: storefrontId, point_value: i === 20 ? 13 : 1 }),
      ),
    );
    await service.owner.execute("drop trigger refuse on allotment");
    expect(answers.map((answer) => answer.status)).toEqual(customers.map((_, i) => (i === 20 ? 500 : 200)));
    expect(answers[20]?.body.errors).toEqual([{ status: "500", title: "Internal server error", code: "internal" }]);
    expect(await balanceOf(customers[20]?.storefrontId ?? "")).toBe(0);
    expect(await balanceOf(customers[21]?.storefrontId ?? "")).toBe(1);
  });

  test("a deduction over thousands of lots takes exactly its points", async () => {
    const customer = await makeCustomer(service.deps);
    for (let i = 0; i < 10; i++) await post(...Array.from({ length: 300 }, () => ({ customer, posting: add(1n) })));
    const [outcome] = await post({ customer, posting: add(-2_500n) });
    expect(outcome).toMatchObject({ kind: "posted", balance: { points: 500n } });
  });

  test("a deduction behind more dated lots than are read at first takes the dated ones, then the others", async () => {
    const customer = await makeCustomer(service.deps);
    const expiresAt = Temporal.Now.instant().add({ hours: 48 });
    await post(...Array.from({ length: 100 }, () => ({ customer, posting: { ...add(1n), expiresAt } })));
    await post(...Array.from({ length: 100 }, () => ({ customer, posting: add(1n) })));
    const [outcome] = await post({ customer, posting: add(-150n) });
    expect(outcome).toMatchObject({ kind: "posted", balance: { points: 50n } });
    const left =
      "select count(*)::int as lots, count(*) filter (where expires_at = 'infinity')::int as undated from lot";
    const [lots] = await service.deps.db.query(`${left} where customer_uid = $1`, [customer.customerUid]);
    expect(lots).toEqual({ lots: 50, undated: 50 });
  });

  test.each([false, true])(
    "a connection lost at COMMIT, after it took effect, pays once and tells so (key: %s)",
    async (hasKey) => {
      const customer = await makeCustomer(service.deps);
      const proxy = await startCuttingProxy(service.connection);
      const db = openPool({ connection: proxy.connection });
      const queue = createRequestQueue({ ...service.deps, db });
      const posting = add(25n);
      proxy.cutCommits(1);
      const claim = {
        credentialUid: service.deps.random.uid(),
        scope: "POST /x",
        key: "k",
        fingerprint: Buffer.from("f"),
      };
      const answer = await queue.post({
        storefrontId: customer.storefrontId,
        posting,
        claim: hasKey ? claim : null,
        render: (outcome) => ({
          status: 200,
          headers: null,
          body: `${outcome.kind} ${outcome.kind === "posted" && outcome.uid}`,
        }),
      });
      expect(proxy.cuts()).toBe(1);
      expect(answer).toMatchObject({ status: 200, body: `posted ${posting.uid}` });
      expect(await balanceOf(customer.storefrontId)).toBe(25);
      await db.close();
      await proxy.close();
    },
  );

  test("a reader by cursor never skips an allotment that commits after a later one", async () => {
    const slow = await makeCustomer(service.deps);
    const fast = await makeCustomer(service.deps);
    const read = async (cursor: string) => (await service.client.get(`${PATH}?cursor=${cursor}`)).body;
    let before = (await service.client.get(PATH)).body;
    let lastRead = before.data.at(-1)?.uid;
    // other databases of the server may hold the mark up for a moment, here and below
    await waitUntil(async () => {
      const [newest] = await service.deps.db.query<{ uid: string }>(
        "select uid from allotment order by allotted_at desc, uid desc limit 1",
      );
      if (before.meta.has_more || lastRead !== newest?.uid) before = await read(before.meta.next_cursor);
      lastRead = before.data.at(-1)?.uid ?? lastRead;
      return !before.meta.has_more && lastRead === newest?.uid;
    });
    const posted = gate();
    const released = gate();
    const late = service.deps.db.tx(async (tx) => {
      const [outcome] = await postAllotments(tx, service.deps, [{ customer: slow, posting: add(1n) }]);
      posted.open();
      await released.opened;
      return outcome;
    });
    await posted.opened;
    service.clock.advance({ seconds: 1 });
    await post({ customer: fast, posting: add(2n) });
    const during = await read(before.meta.next_cursor);
    expect(during.data).toEqual([]);
    released.open();
    await late;
    service.clock.advance({ seconds: 1 });
    let after = during;
    await waitUntil(async () => {
      after = await read(during.meta.next_cursor);
      return after.data.length > 1;
    });
    expect(after.data.map((row: { point_value: number }) => row.point_value)).toEqual([1, 2]);
  });

  test("a full queue refuses with 503 and a time to come back, and posts what it took", async () => {
    const customer = await makeCustomer(service.deps);
    const queue = createRequestQueue(service.deps);
    const render = () => ({ status: 200, headers: null, body: "ok" });
    const answers = await Promise.allSettled(
      Array.from({ length: 10_600 }, () =>
        queue.post({ storefrontId: customer.storefrontId, posting: add(1n), claim: null, render }),
      ),
    );
    const refused = answers.filter((answer) => answer.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.reason).toMatchObject({ code: "unavailable", retryAfterS: 1 });
    expect(await balanceOf(customer.storefrontId)).toBe(10_600 - refused.length);
  });

  test("a deadlock is retried, and other faults are not", async () => {
    let tries = 0;
    const answer = await service.deps.db.tx(async (tx) => {
      if (++tries < 3) await tx.execute("do $$ begin raise exception 'planted' using errcode = '40P01'; end $$");
      return tries;
    });
    expect(answer).toBe(3);
    tries = 0;
    const fault = service.deps.db.tx(async (tx) => {
      tries++;
      await tx.execute("select 1 / 0");
    });
    await expect(fault).rejects.toThrow(/division by zero/);
    expect(tries).toBe(1);
  });

  test("work after a commit runs only when it committed", async () => {
    const ran: string[] = [];
    await service.deps.db.tx(async (tx) => tx.afterCommit(() => ran.push("committed")));
    await service.deps.db
      .tx(async (tx) => {
        tx.afterCommit(() => ran.push("rolled back"));
        throw new Error("planted");
      })
      .catch(() => {});
    expect(ran).toEqual(["committed"]);
  });
});
