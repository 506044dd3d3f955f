import { REASON_NAMES } from "../wire/reason-names.ts";
import type { Messages } from "./messages.ts";

const REASONS: Readonly<Record<string, string>> = REASON_NAMES.en;
const reason = (type: string | null): string | null => (type === null ? null : (REASONS[type] ?? type));
const by = (actor: string | null): string => (actor === null ? "" : `, by ${actor}`);
const isOne = (points: string): boolean => /^[+−]?1$/.test(points);
const several = (points: string): string => `${points} ${isOne(points) ? "point" : "points"}`;
const were = (points: string): string => `${points} ${isOne(points) ? "was" : "were"}`;
const ofMonths = (months: number): string => (months === 1 ? "1 month" : `${months} months`);
const expiry = (points: string, at: string | null): string =>
  isOne(points)
    ? `it ${at === null ? "does not expire" : `expires on ${at}`}`
    : `they ${at === null ? "do not expire" : `expire on ${at}`}`;

export const ENGLISH: Messages = {
  types: {
    coupon_reimbursement: "points of a coupon that came back with an order",
    coupon_cancellation: "points of a coupon that was not used",
    csv: "a CSV import",
    deletion: "points deleted",
    expiration: "points expired",
    manual: "a manual adjustment",
    refund: "points taken back with a refund or cancellation",
    api: "an adjustment through the interface",
    flow: "an adjustment by a workflow",
    fulfillment: "points for an order",
    tax: "points for the tax of an order",
    reward: "a reward",
  },
  merge: "points moved by a merge of two customers",
  undoing: { adjustment: "an adjustment was undone", import: "an import was undone" },
  roundings: { up: "up", down: "down", half_up: "to the nearest, halves up" },
  exclusions: {
    live_order: "the order is a test, or was cancelled",
    store_currency: "the order is not in the store's currency",
    customer_tags: "the customer has an excluded tag",
    goods_only: "gift cards, tips and fees earn nothing",
    product_tags: "the product has an excluded tag",
  },
  tierCauses: {
    api: "through the interface",
    check: "by the tier check",
    program: "by a change of the program",
    manual: "by hand",
    merge: "by a merge of customers",
  },

  rewards: { signup: "sign-up", marketing_opt_in: "newsletter", birthday: "birthday" },

  headline: (points, at, type) => `${several(points)} on ${at}: ${type}.`,
  ofOrder: (name, title) => (title === null ? `Order ${name}.` : `Order ${name}, "${title}".`),
  balance: (before, after) => `The balance went from ${before} to ${after}.`,
  requestedByCredential: (name, actor) => `Requested with the credential "${name}"${by(actor)}.`,
  causedByPlatform: (name, actor) => `It followed from an event of ${name}${by(actor)}.`,
  requestedByStaff: (name) => `Requested in the dashboard${by(name)}.`,
  postedByService: () => "The service posted it by itself.",
  movedIn: (app) => `The points were moved in from ${app}.`,
  earnedAt: (at) => `They were earned on ${at}.`,
  ownExpiry: (at) => `They have their own expiry date, ${at}, which no setting and no activity changes.`,
  reason: (type, note) => `Reason: ${[reason(type), note].filter((part) => part !== null).join(", ")}.`,
  extendsExpiry: () => "It extended the expiry of the balance.",
  programVersion: (version, author, from) =>
    `Version ${version} of the program was valid${author === null ? "" : `, made by ${author}`}${from === null ? "" : ` on ${from}`}.`,

  orderLine: ({ title, gross, discount, base, exact, rate, bonus, left }) =>
    `"${title}": ${gross}${discount === null ? "" : ` less ${discount} of discounts`}, earns on ${base}${
      left === null ? "" : `, of which refunds left ${left}`
    }; ${rate}${bonus === null ? "" : ` and a bonus of ${bonus}`}: ${several(exact)} before rounding.`,
  excludedLine: (title, because) => `"${title}" earns nothing: ${because}.`,
  tierRate: (tier, campaign, rate) =>
    campaign === null
      ? `The rate is that of the tier ${tier}: ${rate}.`
      : `The rate is that of the campaign ${campaign} for the tier ${tier}: ${rate}.`,
  rate: (points, money) => `${points} per ${money}`,
  rounding: (mode) => `Points are rounded ${mode}, once for the order.`,
  award: ({ exact, after, before, share, isShipped }) =>
    `With ${isShipped ? "this shipment" : "the payment"} the order earned ${several(exact)} in total, rounded to ${after}; ${were(before)} given before, so this is ${share}.`,
  refund: ({ before, after, exact }) =>
    `The refund lowered the points for what had shipped from ${before} to ${after} (${exact} before rounding).`,
  cancellation: ({ before }) =>
    `The order was cancelled: ${isOne(before) ? "the point that it had given is" : `the ${before} points that it had given are`} taken back.`,
  correction: (points) =>
    `The order changed (an edit, a cancelled shipment or another customer): ${several(points)} ${isOne(points) ? "corrects" : "correct"} it.`,
  requested: (requested, taken) =>
    `${several(requested)} ${isOne(requested) ? "was" : "were"} requested, ${were(taken)} posted.`,
  results: {
    capped: (rest) => `The balance did not hold the other ${rest}: ${isOne(rest) ? "it was" : "they were"} forgiven.`,
    owed: (rest) =>
      `The balance did not hold the other ${rest}: ${isOne(rest) ? "it is" : "they are"} owed, and deducted from later points.`,
    refused: (rest) => `The balance did not hold the other ${rest}: nothing more was taken, and staff were notified.`,
    set_off: (rest) =>
      `The other ${were(rest)} set off against points of the order that could not be taken back before.`,
  },
  notReproduced: () => "The order has changed since: the figures above are computed from its present facts.",

  drawn: (points, source, at) => `Taken from: ${several(points)} of ${at}, ${source}.`,
  usedBy: (points, what, at) => `Used: ${several(points)} on ${at}, ${what}.`,
  remaining: (points, expires) => `Remaining: ${several(points)}; ${expiry(points, expires)}.`,
  nothingLeft: () => "None of them are left.",
  expired: (points, source, at, wentAt) =>
    `${several(points)} of ${at}, ${source}${wentAt === null ? "" : `: ${isOne(points) ? "it was" : "they were"} valid until ${wentAt}`}.`,
  sliding: (months, activeAt) =>
    `A balance expires ${ofMonths(months)} after the last activity${activeAt === null ? ", of which there was none" : `, which was on ${activeAt}`}.`,
  perAllotment: (months) => `Points expire ${ofMonths(months)} after they were given.`,
  onlyOwnDates: () => "Only points with their own expiry date expire.",
  coupon: (code, points, worth) => `Coupon ${code}: ${several(points)}, worth ${worth}.`,
  couponUsed: (orderId) => `It was used by order ${orderId}.`,
  couponReturned: () => "It was not used, and its points came back.",
  reward: (kind) => `Reward: ${kind}.`,
  settledDebt: (points) =>
    `The balance was set: ${several(points)} that ${isOne(points) ? "was owed is" : "were owed are"} no longer owed.`,
  debt: () => "It settled points that were owed since an earlier refund.",

  history: ({ app, before, lastDay, earned, used, expired, adjusted, movedIn }) =>
    `${before === null ? `Up to ${lastDay}` : `Before ${before}`} at ${app}: earned ${earned}, used ${used}${expired === null ? "" : `, expired ${expired}`}${
      adjusted === null ? "" : `, changed otherwise by ${adjusted}`
    }${movedIn === null ? "" : `; moved in: ${movedIn}`}.`,
  held: (points) => `${several(points)} ${isOne(points) ? "is" : "are"} on hold.`,
  owes: (points) =>
    points === "1"
      ? "1 point is owed: it had been spent before a refund took it back, and is deducted from the next points earned."
      : `${points} points are owed: they had been spent before a refund took them back, and are deducted from the next points earned.`,
  due: (points) =>
    points === "1"
      ? "1 point has reached its date and cannot be spent any more; the next posting or sweep writes it off."
      : `${points} points have reached their date and cannot be spent any more; the next posting or sweep writes them off.`,

  tierIs: (tier, at) => `The tier is ${tier} on ${at}.`,
  neverPlaced: () => "It is the default tier: the customer was never placed in another.",
  lastChange: ({ from, to, at, cause, actor, spend }) =>
    `From ${from} to ${to} on ${at}, ${cause}${by(actor)}${spend === null ? "" : `, with a spend of ${spend}`}.`,
  floor: (tier) => `Checks do not go below ${tier}.`,
  skipsCheck: (at) => `The check on ${at} is skipped for this customer.`,
  keptUntil: (tier, until) => `Checks before ${until} do not go below ${tier}.`,
  spentElsewhere: (amount) => `${amount} of this were spent in another app, before the orders here.`,
  spent: (amount, from, orders, check) =>
    `The check on ${check} counts ${amount} since ${from}, from ${orders} ${orders === "1" ? "order" : "orders"}.`,
  toKeep: (tier, missing) => `To keep ${tier}: ${missing} more.`,
  toRise: (tier, missing) => `To rise to ${tier}: ${missing} more.`,
  highest: () => "There is no higher tier.",
};
