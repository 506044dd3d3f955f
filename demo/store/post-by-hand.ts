import { MANUAL_KEY } from "../../src/adjustments/adjustment.ts";
import { issueCoupon } from "../../src/coupons/issue-coupon.ts";
import { findCustomer } from "../../src/customers/find-customer.ts";
import type { Deps } from "../../src/deps.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { type Posting, plainPosting } from "../../src/ledger/posting.ts";
import { Problem } from "../../src/problems.ts";
import type { Dice } from "../season/dice.ts";
import type { Member } from "./crowd.ts";
import type { SpentCoupon } from "./store-events.ts";

const NOTES = [
  ["compensation", "配送が遅れたお詫びとして"],
  ["compensation", "包装の破損について返金の代わりに"],
  ["system_fix", "二重計上の修正"],
  ["compensation", "Apology for the late parcel"],
] as const;
const STAFF = ["佐藤 美咲", "Anna Taylor"];

/** Sources of points other than orders. */
export type Gift = "imported" | "review" | "adjusted";

/** Gives a member points like an import, an app of reviews, or a member of staff. */
export async function postGift(deps: Deps, dice: Dice, member: Member, gift: Gift): Promise<void> {
  await deps.db.tx(async (tx) => {
    const customer = await findCustomer(tx, member.id);
    await postAllotments(tx, deps, [{ customer, posting: giftPosting(deps, dice, member, gift) }]);
  });
}

function giftPosting({ random }: Pick<Deps, "random">, dice: Dice, member: Member, gift: Gift): Posting {
  const add = (points: number) => ({ kind: "add", pointValue: BigInt(points), shortfall: "cap" }) as const;
  const uid = random.uid();
  switch (gift) {
    case "imported":
      return {
        ...plainPosting(uid, "csv", "dashboard", add(50 + 10 * dice.below(150))),
        sourceKey: `csv/demo/${member.id}`,
        origin: "migration",
      };
    case "review":
      return {
        ...plainPosting(uid, "api", "review_app", add(50)),
        object: `review-${uid}`,
        reasonType: "reward",
        note: "レビュー投稿のお礼",
        extends: "credit",
      };
    case "adjusted": {
      const [reasonType, note] = dice.pick(NOTES);
      const points = (reasonType === "system_fix" ? -1 : 1) * (50 + 10 * dice.below(60));
      return {
        ...plainPosting(uid, "manual", "dashboard", add(points)),
        sourceKey: `${MANUAL_KEY}${uid}`, // so that it can be undone
        reasonType,
        note,
        actor: dice.pick(STAFF),
      };
    }
  }
}

/** Issues a coupon for points of the member, if there are enough. */
export async function spendPoints(deps: Deps, member: Member, points: bigint): Promise<SpentCoupon | null> {
  try {
    const wanted = { customer: member.id, pointValue: points, productIds: null, appReference: "storefront" };
    const coupon = await deps.db.tx((tx) => issueCoupon(tx, deps, wanted));
    return { code: coupon.code, yen: coupon.currencyValue };
  } catch (error) {
    if (error instanceof Problem && error.code === "negative_balance") return null;
    throw error;
  }
}
