import { Type } from "typebox";
import type { DemoClient } from "./client.ts";
import { until } from "./until.ts";

const ASKED_AT_ONCE = 250;
const WRONG_SHOWN = 5;

const ordersAnswer = Type.Object({
  data: Type.Record(
    Type.String(),
    Type.Object({ awardable_points: Type.Integer(), points_awarded: Type.Integer(), points_redeemed: Type.Integer() }),
  ),
});

/** The expected points of orders by id, computed independently of the service. */
export type ExpectedPoints = ReadonlyMap<string, bigint>;

/**
 * Requests the orders' points until each can award and has awarded what is expected. Returns the errors of those that still differ after `limitMs`.
 * `onProgress` gets the number of remaining orders each time.
 */
export async function waitForOrders(
  client: DemoClient,
  expected: ExpectedPoints,
  limitMs: number,
  onProgress: (orders: number) => void = () => {},
): Promise<string[]> {
  const open = new Map(expected);
  const wrong = new Map<string, string>();
  await until(limitMs, async () => {
    for (const ids of groups([...open.keys()])) {
      const { data } = await client.call("GET", `/api/storefront/orders?ids=${ids.join(",")}`, ordersAnswer);
      for (const id of ids) {
        const points = open.get(id) ?? 0n;
        const found = data[id];
        const isRight = [found?.awardable_points, found?.points_awarded].every(
          (n) => n !== undefined && BigInt(n) === points,
        );
        if (isRight) open.delete(id);
        const state =
          found === undefined
            ? "is not known"
            : `can award ${found.awardable_points} and awarded ${found.points_awarded}`;
        wrong.set(id, `order ${id} ${state}, expected ${points}`);
      }
    }
    onProgress(open.size);
    return open.size === 0;
  });
  return [...open.keys()].map((id) => wrong.get(id) ?? id);
}

/** Returns the first errors, and the number of the others. */
export function summary(faults: readonly string[]): string {
  const more = faults.length - WRONG_SHOWN;
  return [...faults.slice(0, WRONG_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function groups(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / ASKED_AT_ONCE);
  return Array.from({ length: count }, (_, n) => ids.slice(n * ASKED_AT_ONCE, (n + 1) * ASKED_AT_ONCE));
}
