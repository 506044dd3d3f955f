import { Type } from "typebox";
import type { DemoClient } from "./client.ts";

/** The store's allotments according to its list: points by id, and counts and sums by type. */
export interface Ledger {
  readonly allotments: ReadonlyMap<string, bigint>;
  readonly byType: ReadonlyMap<string, TypeSums>;
}

/** Points given and taken, both at least 0. */
export interface TypeSums {
  readonly count: number;
  readonly given: bigint;
  readonly taken: bigint;
}

const listAnswer = Type.Object({
  data: Type.Array(Type.Object({ uid: Type.String(), type: Type.String(), point_value: Type.Integer() })),
  meta: Type.Object({ has_more: Type.Boolean(), next_cursor: Type.Union([Type.String(), Type.Null()]) }),
});

/** Reads the store's list of allotments from its start, by cursors. */
export async function readLedger(client: DemoClient): Promise<Ledger> {
  const allotments = new Map<string, bigint>();
  const byType = new Map<string, TypeSums>();
  let query = "";
  for (;;) {
    const { data, meta } = await client.call("GET", `/api/storefront/point_allotments${query}`, listAnswer);
    for (const { uid, type, point_value } of data) {
      const points = BigInt(point_value);
      allotments.set(uid, points);
      const sums = byType.get(type) ?? { count: 0, given: 0n, taken: 0n };
      byType.set(type, {
        count: sums.count + 1,
        given: sums.given + (points > 0n ? points : 0n),
        taken: sums.taken - (points < 0n ? points : 0n),
      });
    }
    if (!meta.has_more || meta.next_cursor === null) return { allotments, byType };
    query = `?cursor=${encodeURIComponent(meta.next_cursor)}`;
  }
}

/** The sums of the allotments; `issued` less `spent` and `refunded`, plus `returned` and `corrected`, is `outstanding`. */
export interface LedgerSums {
  readonly issued: bigint;
  readonly spent: bigint;
  readonly refunded: bigint;
  readonly returned: bigint;
  /** The sum of all other types. */
  readonly corrected: bigint;
  readonly outstanding: bigint;
}

const NONE: TypeSums = { count: 0, given: 0n, taken: 0n };
const EARNING = ["fulfillment", "tax", "reward", "api", "manual"];
const RETURNING = ["coupon_reimbursement", "coupon_cancellation"];

export function sumLedger({ byType }: Ledger): LedgerSums {
  const of = (types: readonly string[], what: "given" | "taken") =>
    types.reduce((sum, type) => sum + (byType.get(type) ?? NONE)[what], 0n);
  const sums = {
    issued: of(EARNING, "given"),
    spent: of(["api"], "taken"),
    refunded: of(["refund"], "taken"),
    returned: of(RETURNING, "given"),
  };
  const outstanding = [...byType.values()].reduce((sum, { given, taken }) => sum + given - taken, 0n);
  const corrected = outstanding - (sums.issued - sums.spent - sums.refunded + sums.returned);
  return { ...sums, corrected, outstanding };
}
