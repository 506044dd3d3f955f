import { expect, test } from "vitest";
import { type AssignedPosting, forgivenPoints, type OrderPostingRow } from "../store-order.ts";
import type { PlannedPosting } from "./planned-posting.ts";
import { cappedInTurn } from "./posting-result.ts";

const customer = { bucket: 1, customerUid: "c" };
const COUNT = 100;

function award(key: string, pointValue: bigint): AssignedPosting {
  const planned: PlannedPosting = {
    key,
    type: "fulfillment",
    pointValue,
    object: null,
    parent: "order-1",
    action: null,
    cascade: true,
    reasonType: "fulfillment",
    shortfall: null,
    drawsOwnLots: false,
    couponUid: null,
    giveBack: null,
  };
  return { planned, customer, returned: null };
}

test("an order's rows are summed once, however many postings follow: it may have thousands of both", () => {
  let reads = 0;
  const row: OrderPostingRow = {
    ...{
      cause: "refund/1",
      type: "refund",
      customer,
      requested: -2n,
      version: 1n,
      result: "capped",
      takenElsewhere: 0n,
    },
    get taken() {
      reads++;
      return 0n; // nothing could be taken back: later awards are set off
    },
  };
  const awards = Array.from({ length: COUNT }, (_, i) => award(`fulfillment/${i}`, 3n));
  const capped = cappedInTurn(awards, Array<OrderPostingRow>(COUNT).fill(row));
  expect(capped?.map((one) => one.cappedPoints).slice(64, 70)).toEqual([0n, 0n, 1n, 3n, 3n, 3n]);
  expect(reads).toBe(COUNT);
});

test("a coupon's points that could not be taken again are not forgiven: what is missing of the order's own may be a task", () => {
  const row = { customer, version: null, takenElsewhere: 0n };
  const rows: OrderPostingRow[] = [
    { ...row, cause: "fulfillment/1", type: "fulfillment", requested: 10n, taken: 10n, result: "posted" },
    { ...row, cause: "refund/1", type: "refund", requested: -10n, taken: 0n, result: "refused" },
    {
      ...row,
      cause: "coupon_return/u/adjust-1",
      type: "coupon_reimbursement",
      requested: -5n,
      taken: 0n,
      result: "capped",
    },
  ];
  expect(forgivenPoints(rows)).toBe(0n);
});
