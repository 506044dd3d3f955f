import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDelivery,
  dropDeliveries,
  emptyQueues,
  longQueues,
  type Queued,
  returnDelivery,
  takeDelivery,
} from "./customer-queues.ts";

function item(customerUid: string | null, version: number, uid = `${customerUid}/${version}`): Queued {
  return { uid, customerUid, version: BigInt(version) };
}

describe("one queue a customer", () => {
  test("lowest version first, one out at a time, customers in turn", () => {
    const queues = emptyQueues<Queued>();
    for (const one of [item("a", 2), item("b", 1), item("a", 1), item("a", 1)]) addDelivery(queues, one);
    const first = takeDelivery(queues);
    const second = takeDelivery(queues);
    expect([first?.uid, second?.uid, takeDelivery(queues)]).toEqual(["a/1", "b/1", undefined]);
    if (first !== undefined) returnDelivery(queues, first, true);
    expect(takeDelivery(queues)?.uid).toBe("a/2");
  });

  test("without a customer each goes by itself", () => {
    const queues = emptyQueues<Queued>();
    for (const n of [1, 2, 3]) addDelivery(queues, item(null, 0, String(n)));
    expect([takeDelivery(queues), takeDelivery(queues), takeDelivery(queues)].map((one) => one?.uid)).toEqual([
      "1",
      "2",
      "3",
    ]);
  });

  test("a failed one holds its queue, which is forgotten with it", () => {
    const queues = emptyQueues<Queued>();
    addDelivery(queues, item("a", 1));
    const failed = takeDelivery(queues);
    addDelivery(queues, item("a", 2));
    if (failed === undefined) throw new Error("nothing to take");
    returnDelivery(queues, failed, false);
    addDelivery(queues, item("a", 3));
    expect(takeDelivery(queues)).toBeUndefined();
    expect(queues.known.size).toBe(3);
    dropDeliveries(queues, [failed]);
    expect([queues.known.size, queues.queues.size]).toEqual([0, 0]);
    addDelivery(queues, item("a", 2));
    expect(takeDelivery(queues)?.uid).toBe("a/2");
  });

  test("an earlier one that was written down does not end what a failed one holds", () => {
    const queues = emptyQueues<Queued>();
    for (const version of [1, 2, 3]) addDelivery(queues, item("a", version));
    const [earlier, failed] = [true, false].map((isAcknowledged) => {
      const one = takeDelivery(queues);
      if (one === undefined) throw new Error("nothing to take");
      returnDelivery(queues, one, isAcknowledged);
      return one;
    });
    if (earlier === undefined || failed === undefined) throw new Error("two were taken");
    expect(dropDeliveries(queues, [earlier])).toEqual([]);
    addDelivery(queues, item("a", 4));
    expect(takeDelivery(queues)).toBeUndefined();
    expect(dropDeliveries(queues, [failed]).map(({ uid }) => uid)).toEqual(["a/3", "a/4"]);
    expect([queues.known.size, queues.queues.size]).toEqual([0, 0]);
  });

  test("long queues are told by customer", () => {
    const queues = emptyQueues<Queued>();
    for (let version = 1; version <= 4; version++) addDelivery(queues, item("a", version));
    addDelivery(queues, item("b", 1));
    expect([longQueues(queues, 4), longQueues(queues, 5)]).toEqual([["a"], []]);
  });

  test("whatever is added, taken and returned in any order: each once, in order, one out a customer", () => {
    const steps = array(
      record({ kind: constantFrom("add", "take", "return"), customer: constantFrom("a", "b", "c"), pick: nat(9) }),
      {
        maxLength: 200,
      },
    );
    assert(
      property(steps, (history) => {
        const queues = emptyQueues<Queued>();
        const next = new Map<string, number>();
        const taken: Queued[] = [];
        const out: Queued[] = [];
        const take = () => {
          const one = takeDelivery(queues);
          if (one === undefined) return false;
          expect(out.map(({ customerUid }) => customerUid)).not.toContain(one.customerUid);
          taken.push(one);
          out.push(one);
          return true;
        };
        const giveBack = (pick: number) => {
          const [one] = out.splice(pick % Math.max(1, out.length), 1);
          if (one === undefined) return;
          returnDelivery(queues, one, true);
          dropDeliveries(queues, [one]);
        };
        for (const { kind, customer, pick } of history) {
          if (kind === "take") take();
          else if (kind === "return") giveBack(pick);
          else {
            const version = (next.get(customer) ?? 0) + 1;
            next.set(customer, version);
            addDelivery(queues, item(customer, version));
          }
        }
        while (take() || out.length > 0) giveBack(0);
        for (const [customer, last] of next) {
          const versions = taken.filter((one) => one.customerUid === customer).map((one) => Number(one.version));
          expect(versions).toEqual(Array.from({ length: last }, (_, n) => n + 1));
        }
        expect([queues.known.size, queues.queues.size]).toEqual([0, 0]);
      }),
    );
  });
});
