import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { upsertCustomer } from "../../../src/customers/upsert-customer.ts";
import { POINTS_MAX } from "../../../src/ledger/allotment-types.ts";
import { mergeInto } from "../../support/customers.ts";
import { lotsOf } from "../../support/lots-of.ts";
import { minute } from "../../support/order-events.ts";
import { type OrderFlow, startOrderFlow } from "../../support/order-flow.ts";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";

const API = "/api/storefront";
let flow: OrderFlow;
let receiver: TestReceiver;
beforeAll(async () => {
  flow = await startOrderFlow();
  receiver = await startReceiver();
  for (const topic of ["point_balance/update", "point_allotment/cascade"]) {
    await flow.client.post(`${API}/webhooks`, { topic, callback_url: receiver.url });
  }
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await receiver.close();
  await flow.stop();
});

const merge = (removedId: string, keptId: string) => mergeInto(flow.deps, removedId, keptId);

const spent = async (id: string, points: number) => {
  const answer = await flow.client.post(`${API}/point_allotments`, { customer_id: id, point_value: -points });
  expect(answer.status).toBe(200);
};

/** What is published of a topic for a customer's uid, in order. */
async function published(uid: string, topic: string): Promise<Record<string, unknown>[]> {
  const rows = await flow.deps.db.query<{ payload: string }>(
    "select payload from outbox_event where customer_uid = $1 and topic = $2 order by uid",
    [uid, topic],
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}

const lots = (id: string) => lotsOf(flow, id);

let count = 0;
const pair = async () => {
  const [kept, removed] = [`k${++count}`, `r${count}`];
  await flow.customer(kept);
  await flow.customer(removed);
  return { kept, removed };
};

describe("points of merged customers", () => {
  test("come to the survivor lot by lot, each with its start and origin; the other side is closed by one allotment", async () => {
    const { kept, removed } = await pair();
    await flow.give(kept, 10);
    await flow.give(removed, 30);
    flow.clock.advance({ hours: 24 });
    await flow.give(removed, 20);
    await spent(removed, 5);
    const before = await lots(removed);
    flow.clock.advance({ hours: 24 });
    await merge(removed, kept);
    expect(await flow.balance(kept)).toBe(55);
    expect(await flow.balance(removed)).toBe(55);
    expect(await flow.ledger(kept)).toEqual([
      ["api", 10],
      ["manual", 25],
      ["manual", 20],
    ]);
    const after = await lots(kept);
    const shape = (each: typeof before) => each.map((lot) => [lot.remaining, lot.since.toString(), lot.origin]).sort();
    expect(shape(before).map(([remaining]) => remaining)).toEqual([20n, 25n]);
    expect(shape(after.filter(({ remaining }) => remaining !== 10n))).toEqual(shape(before));
  });

  test("publish both balances once, and every allotment", async () => {
    const { kept, removed } = await pair();
    await flow.give(removed, 30);
    const uidOf = async (id: string) => (await flow.client.get(`${API}/customers/${id}`)).body.data.uid;
    const [keptUid, removedUid] = [await uidOf(kept), await uidOf(removed)];
    await merge(removed, kept);
    expect(await published(keptUid, "point_balance/update")).toMatchObject([{ balance: 30 }]);
    expect(await published(keptUid, "point_allotment/cascade")).toMatchObject([{ point_value: 30, type: "manual" }]);
    expect(await published(removedUid, "point_balance/update")).toMatchObject([{ balance: 30 }, { balance: 0 }]);
    expect((await published(removedUid, "point_allotment/cascade")).at(-1)).toMatchObject({ point_value: -30 });
  });

  test("never expire sooner: the later activity of both dates them; the merge itself is none", async () => {
    const { kept, removed } = await pair();
    await flow.give(kept, 10);
    flow.clock.advance({ hours: 24 * 40 });
    await flow.give(removed, 20);
    const read = async (id: string) => (await flow.client.get(`${API}/point_balances/${id}`)).body.data.expires_at;
    const expected = await read(removed);
    flow.clock.advance({ hours: 24 * 40 });
    await merge(removed, kept);
    expect(await read(kept)).toBe(expected);
  });

  test("held points go along with their hold", async () => {
    const { kept, removed } = await pair();
    await flow.give(removed, 30);
    const held = await flow.client.post(`${API}/reservations`, {
      customer_id: removed,
      point_value: 12,
      ttl_seconds: 600,
    });
    expect(held.status).toBeLessThan(300);
    await merge(removed, kept);
    expect(await flow.balance(kept)).toBe(18);
    const captured = await flow.client.post(`${API}/reservations/${held.body.data.id}/capture`, { point_value: 7 });
    expect(captured.status).toBe(200);
    expect(await flow.balance(kept)).toBe(23);
  });

  test("held before the merge are nobody else's then: each balance of before stays as it was", async () => {
    const { kept, removed } = await pair();
    await flow.give(kept, 50);
    await flow.give(removed, 30);
    const reserved = { customer_id: removed, point_value: 12, ttl_seconds: 86_400 };
    const { body: held } = await flow.client.post(`${API}/reservations`, reserved);
    flow.clock.advance({ hours: 1 });
    const before = flow.clock.now();
    flow.clock.advance({ hours: 1 });
    await merge(removed, kept);
    const after = flow.clock.now();
    flow.clock.advance({ hours: 1 });
    const asOf = async (at: Temporal.Instant) =>
      (await flow.client.get(`${API}/point_balances/${kept}?as_of=${at}`)).body.data.point_balance;
    expect([await asOf(before), await asOf(after)]).toEqual([50, 68]);
    await flow.client.post(`${API}/reservations/${held.data.id}/capture`, {});
    expect([await asOf(before), await asOf(after)]).toEqual([50, 68]);
  });

  test("a balance that could not hold them is not merged", async () => {
    const { kept, removed } = await pair();
    await flow.give(kept, Number(POINTS_MAX));
    await flow.give(removed, 1);
    await expect(merge(removed, kept)).rejects.toThrow("Point balance would be too large");
    expect(await flow.ledger(removed)).toEqual([["api", 1]]);
  });
});

describe("the ids of merged customers", () => {
  test("lead to the survivor everywhere, in a chain, whichever merge comes first; the history stays readable", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const [a, b, c] = [`a${++count}`, `b${count}`, `c${count}`];
      for (const [id, points] of [
        [a, 1],
        [b, 20],
        [c, 300],
      ] as const) {
        await flow.customer(id);
        await flow.give(id, points);
      }
      const merges = [() => merge(a, b), () => merge(b, c)];
      for (const at of order) await merges[at]?.();
      for (const id of [a, b, c]) expect(await flow.balance(id)).toBe(321);
      const given = await flow.client.post(`${API}/point_allotments`, { customer_id: a, point_value: 4_000 });
      expect(given.body.data.point_balance).toMatchObject({ id: c, point_balance: 4_321 });
      expect(await flow.balance(c)).toBe(4_321);
      const { data } = (await flow.client.get(`${API}/customers/${a}/merged`)).body;
      expect(data.map(({ id }: { id: string }) => id).sort()).toEqual([a, b]);
      const old = data.find(({ id }: { id: string }) => id === a);
      const history = await flow.client.get(`${API}/point_allotments/${c}?point_balance_uid=${old.uid}`);
      expect(history.body.data.map((row: { point_value: number }) => row.point_value)).toEqual([1, -1]);
      expect(history.body.data[0].point_balance_uid).toBe(old.uid);
    }
  });

  test("again, backwards, or elsewhere nothing happens", async () => {
    const { kept, removed } = await pair();
    await flow.give(removed, 5);
    await flow.customer("elsewhere");
    await merge(removed, kept);
    await merge(removed, kept);
    await merge(kept, removed);
    await merge(removed, "elsewhere");
    expect(await flow.ledger(kept)).toEqual([["manual", 5]]);
    expect(await flow.balance("elsewhere")).toBe(0);
    const other = await flow.client.get(
      `${API}/point_allotments/${kept}?point_balance_uid=${(await flow.client.get(`${API}/customers/elsewhere`)).body.data.uid}`,
    );
    expect(other.status).toBe(422);
  });

  test("that nobody knew are known from then on", async () => {
    await merge("new-removed", "new-kept");
    await flow.give("new-removed", 7);
    expect(await flow.balance("new-kept")).toBe(7);
  });

  test("the deletion of the removed one, before or after, takes nothing", async () => {
    for (const isBefore of [true, false]) {
      const { kept, removed } = await pair();
      await flow.give(removed, 40);
      await flow.give(kept, 2);
      if (isBefore) await flow.remove(removed);
      await merge(removed, kept);
      if (!isBefore) await flow.remove(removed);
      expect(await flow.balance(kept)).toBe(42);
    }
  });

  test("points merged into a deleted customer are written off", async () => {
    const { kept, removed } = await pair();
    await flow.give(removed, 40);
    await flow.remove(kept);
    await merge(removed, kept);
    expect((await flow.client.get(`${API}/point_balances/${removed}`)).status).toBe(404);
  });
});

describe("the person", () => {
  test("is the survivor, with what the survivor lacked, whenever the other's events come", async () => {
    for (const isLate of [false, true]) {
      const { kept, removed } = await pair();
      const put = (id: string, more: object) => flow.client.put(`${API}/customers/${id}`, more);
      await put(kept, { name: "Hana" });
      if (!isLate) await put(removed, { name: "Hanako", birthday: "1988-04-12", email: `${removed}@example.com` });
      await merge(removed, kept);
      if (isLate) {
        await flow.deps.db.tx(async (tx) => {
          const more = {
            name: "Hanako",
            birthday: "1988-04-12",
            email: `${removed}@example.com`,
            profileAt: minute(900),
          };
          await upsertCustomer(tx, flow.deps, { storefrontId: removed, ...more });
        });
      }
      const read = (named: string) => flow.client.get(`${API}/customers/${named}`);
      const expected = { id: kept, name: "Hana", birthday: "1988-04-12", email: `${removed}@example.com` };
      for (const named of [kept, removed, `${removed}@example.com`]) {
        expect((await read(named)).body.data).toMatchObject(expected);
      }
    }
  });

  test("has the survivor's own address, though the merge and the other's newer events come before it", async () => {
    for (const isKnown of [true, false]) {
      const { kept, removed } = isKnown ? await pair() : { kept: "late-kept", removed: "late-removed" };
      const say = (id: string, profileAt: Temporal.Instant) =>
        flow.deps.db.tx((tx) =>
          upsertCustomer(tx, flow.deps, { storefrontId: id, email: `${id}@example.com`, profileAt }),
        );
      if (isKnown) await say(removed, minute(900));
      await merge(removed, kept);
      if (!isKnown) await say(removed, minute(900));
      await say(kept, minute(800));
      expect((await flow.client.get(`${API}/customers/${kept}`)).body.data.email).toBe(`${kept}@example.com`);
    }
  });
});

test("verify finds a merged balance that is not empty, or to which an id still leads", async () => {
  const { kept, removed } = await pair();
  await flow.give(removed, 5);
  const [{ uid: keptUid }, { uid }] = [await read(kept), await read(removed)];
  await merge(removed, kept);
  const { deps } = flow;
  const plants = [
    [
      "update balance set owed_points = 1 where customer_uid = $1",
      "update balance set owed_points = 0 where customer_uid = $1",
    ],
    [
      "update balance set merged_into = customer_uid where customer_uid = $1",
      `update balance set merged_into = '${keptUid}' where customer_uid = $1`,
    ],
  ] as const;
  for (const [plant, heal] of plants) {
    await deps.db.execute(plant, [uid]);
    expect((await flow.faults()).filter((line) => line.startsWith("FAIL merges: customer"))).toHaveLength(1);
    await deps.db.execute(heal, [uid]);
  }
  const lead =
    "update customer_alias set bucket = b.bucket, customer_uid = b.customer_uid from balance b where b.customer_uid = $1";
  await deps.db.execute(`${lead} and storefront_id = '${removed}'`, [uid]);
  expect((await flow.faults()).filter((line) => line.startsWith("FAIL merges: customer"))).toHaveLength(1);
  await deps.db.execute(`${lead} and storefront_id = '${removed}'`, [keptUid]);

  async function read(id: string): Promise<{ uid: string }> {
    return (await flow.client.get(`${API}/customers/${id}`)).body.data;
  }
});
