import { createDice, type Dice } from "../../demo/season/dice.ts";
import { type ActionContent, type LineSpec, line, type StoreAction } from "./store-action.ts";
import { storeTime } from "./terms.ts";
import { TIME_ZONE } from "./wallet-model.ts";

/** A random crowd that the same seed makes again: who joins, buys, returns and uses coupons in three years. */

const SIZE = 10;
const MONTHS = 36;
const SESSIONS_A_MONTH = 3;
const GOODS = ["tea", "tea", "bonus", "excluded", "gift", "tip"] as const;
const PRICES = [90, 480, 1_250, 2_999, 7_777, 18_333];

interface Member {
  readonly id: string;
  /** Months after the start. */
  readonly joinsIn: number;
  readonly awayFrom: number;
  actions: number;
  /** Whole lines that have shipped and were not returned, by order. */
  readonly kept: { readonly orderId: string; readonly lines: LineSpec[]; readonly isTea: boolean }[];
  readonly waiting: { readonly orderId: string; readonly lines: LineSpec[] }[];
  coupon: { readonly name: string; readonly points: bigint } | null;
}

/** All actions of the crowd, oldest first; those of one time are of different customers. */
export function crowdActions(seed: number, firstYear: number): readonly StoreAction[] {
  const dice = createDice(seed);
  const members = Array.from({ length: SIZE }, (_, n) => newMember(n, n < SIZE / 2 ? 0 : dice.below(MONTHS - 6)));
  const start = storeTime(firstYear, 0, "01-01T00:00").toZonedDateTimeISO(TIME_ZONE);
  const actions: StoreAction[] = [];
  for (let session = 0; session < MONTHS * SESSIONS_A_MONTH; session++) {
    const nth = session % SESSIONS_A_MONTH;
    const month = start.add({ months: (session - nth) / SESSIONS_A_MONTH });
    const day = 1 + Math.floor((nth * month.daysInMonth) / SESSIONS_A_MONTH) + dice.below(3);
    const at = month
      .with({ day })
      .add({ hours: dice.below(23), minutes: dice.below(60), seconds: 7 })
      .toInstant();
    for (const member of members) {
      const content = session === member.joinsIn * SESSIONS_A_MONTH ? join(dice) : chosen(dice, member, session, at);
      if (content !== null) actions.push({ at, shopper: member.id, ...content });
    }
  }
  return actions;
}

function newMember(n: number, joinsIn: number): Member {
  return { id: `crowd-${n}`, joinsIn, awayFrom: n % 19, actions: 0, kept: [], waiting: [], coupon: null };
}

function join(dice: Dice): ActionContent {
  const day = String(1 + dice.below(28)).padStart(2, "0");
  const birthday = `1985-${String(1 + dice.below(12)).padStart(2, "0")}-${day}`;
  return {
    kind: "join",
    isSignup: dice.chance(0.7),
    accepts: dice.chance(0.5),
    ...(dice.chance(0.6) ? { birthday } : {}),
  };
}

/** What a member does in one session, if anything. */
function chosen(dice: Dice, member: Member, session: number, at: Temporal.Instant): ActionContent | null {
  const month = Math.floor(session / SESSIONS_A_MONTH);
  if (session < member.joinsIn * SESSIONS_A_MONTH) return null;
  // quiet for months, so that points expire and tiers drop
  const isAway = (month + 5 * member.awayFrom) % 19 > 10;
  if (!dice.chance(isAway ? 0.01 : 0.45)) return null;
  const roll = dice.below(100);
  const id = `${member.id}-${++member.actions}`;
  if (member.waiting.length > 0 && roll < 60) return shipRest(member, id);
  if (roll < 52) return order(dice, member, id, at);
  if (roll < 66) return refund(dice, member, id);
  if (roll < 72) return { kind: "give", points: BigInt(dice.below(900) - 450) || 1n };
  if (roll < 77) return { kind: "flow", runId: id, points: BigInt(1 + dice.below(120)), extends: dice.chance(0.3) };
  if (roll < 92) return coupon(dice, member, id);
  if (roll < 94) return { kind: "consent", accepts: dice.chance(0.6) };
  if (roll < 96) return { kind: "set", balance: BigInt(dice.below(600)) };
  if (roll < 98) return { kind: "place", skips: true };
  return { kind: "place", minimum: dice.pick([0, null, 1]), tier: dice.pick([1, 2]) };
}

function order(dice: Dice, member: Member, id: string, at: Temporal.Instant): ActionContent {
  const used = member.coupon;
  const first = line(`${id}-0`, dice.pick(PRICES), used === null ? { quantity: BigInt(1 + dice.below(3)) } : {});
  const off = used === null ? 0n : used.points < first.price ? used.points : first.price;
  const lines = [{ ...first, off }];
  for (let n = 1; n < 1 + dice.below(4); n++) {
    lines.push(line(`${id}-${n}`, dice.pick(PRICES), { goods: dice.pick(GOODS), quantity: BigInt(1 + dice.below(2)) }));
  }
  member.coupon = null;
  member.waiting.push({ orderId: id, lines });
  const processedAt = dice.chance(0.2) ? { processedAt: at.subtract({ hours: 1 + dice.below(24 * 20) }) } : {};
  return { kind: "order", order: { id, lines, ...processedAt, ...(used === null ? {} : { coupon: used.name }) } };
}

/** The oldest order that waits ships, in one or two parts; a tip never does. */
function shipRest(member: Member, id: string): ActionContent {
  const [waiting] = member.waiting;
  if (waiting === undefined) throw new Error("nothing waits");
  const { orderId, lines } = waiting;
  const goods = lines.filter((each) => each.goods !== "tip");
  const isFirstOfTwo = goods.length === lines.length && goods.length > 2;
  const shipped = isFirstOfTwo ? goods.slice(0, 1) : goods;
  if (isFirstOfTwo) waiting.lines.shift();
  else member.waiting.shift();
  const isTea = lines.every((each) => each.goods === "tea" && each.off === 0n) && !isFirstOfTwo;
  if (!isFirstOfTwo) member.kept.push({ orderId, lines: [...goods], isTea });
  return { kind: "ship", orderId, shipmentId: id, lines: shipped };
}

function refund(dice: Dice, member: Member, id: string): ActionContent | null {
  const [kept] = member.kept.splice(dice.below(Math.max(1, member.kept.length)), 1);
  const [first, ...rest] = kept?.lines ?? [];
  if (kept === undefined || first === undefined) return null;
  const { orderId } = kept;
  if (dice.chance(0.15)) return { kind: "cancel", orderId };
  if (kept.isTea && rest.length === 0 && dice.chance(0.4)) {
    return { kind: "refund", orderId, refundId: id, units: [], more: first.price / 3n + 1n };
  }
  if (rest.length > 0) member.kept.push({ ...kept, lines: rest, isTea: false });
  const count = rest.length === 0 ? 1n : first.quantity;
  const shipping = dice.chance(0.2) ? { shipping: 500n } : {};
  return { kind: "refund", orderId, refundId: id, units: [{ line: first, count }], ...shipping };
}

/** Most coupons are used by the next order, whenever it comes; some are dropped. */
function coupon(dice: Dice, member: Member, id: string): ActionContent {
  const open = member.coupon;
  if (open !== null && dice.chance(0.6)) {
    if (dice.chance(0.5)) member.coupon = null;
    return { kind: "drop", coupon: open.name };
  }
  const points = BigInt(1 + dice.below(400));
  member.coupon = { name: id, points };
  return { kind: "issue", coupon: id, points };
}
