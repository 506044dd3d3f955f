import type { AccountWords } from "./account-words.ts";

const times = ({ count, isOne }: { count: string; isOne: boolean }): string => (isOne ? "" : `, ${count} times`);
const of = (count: string, one: string): string => `${count} ${one}${count === "1" ? "" : "s"}`;
const were = (points: string): string => `${points} ${points === "1" ? "was" : "were"}`;
const expire = (points: string): string => (points === "1" ? "expires" : "expire");

export const ENGLISH_ACCOUNT: AccountWords = {
  balanceIs: (points, at) => `On ${at} you can use ${of(points, "point")}.`,
  opening: (points, at) => (at === null ? `You began with ${points}.` : `On ${at} you had ${points}.`),
  orders: ({ points, count }) => `${of(count, "order")} gave ${of(points, "point")}.`,
  given: {
    order: ({ points, count }) => `Your orders gave ${of(points, "point")}, in ${of(count, "shipment")}.`,
    signup: ({ points }) => `You got ${points} for signing up.`,
    newsletter: ({ points }) => `You got ${points} for subscribing to the newsletter.`,
    birthday: (said) => `You got ${said.points} for your birthday${times(said)}.`,
    review: ({ points, count }) => `You got ${points} for ${of(count, "review")}.`,
    reward: (said) => `You got ${said.points} as a reward${times(said)}.`,
    // The count is of returns: a coupon may come back in several parts.
    coupon_return: ({ points }) => `${points} of what you used in coupons came back.`,
    compensation: (said) => `The store gave you ${said.points} as compensation${times(said)}.`,
    correction: (said) => `${were(said.points)} added to correct something${times(said)}.`,
    manual: (said) => `The store added ${said.points} by hand${times(said)}.`,
    undo: (said) => `${said.points} came back, as a change by the store was undone${times(said)}.`,
    import: (said) => `The store added ${said.points} from a list${times(said)}.`,
    moved_in: ({ points }) => `You brought ${points} from the earlier program.`,
    merge: ({ points }) => `${points} came from another account of yours.`,
    workflow: (said) => `${were(said.points)} added by a workflow of the store${times(said)}.`,
    other: (said) => `Another application of the store added ${said.points}${times(said)}.`,
  },
  taken: {
    refund: ({ points }) => `Refunds and cancellations took ${points} back.`,
    coupon: ({ points, count }) => `You used ${points} in ${of(count, "coupon")}.`,
    reservation: (said) => `You used ${said.points} when you paid${times(said)}.`,
    review: ({ points }) => `The store took back ${points} of reviews.`,
    reward: ({ points }) => `The store took back ${points} of rewards.`,
    compensation: (said) => `The store took back ${said.points} of compensation${times(said)}.`,
    correction: (said) => `${were(said.points)} taken to correct something${times(said)}.`,
    manual: (said) => `The store took ${said.points} by hand${times(said)}.`,
    undo: (said) => `${were(said.points)} taken, as a change by the store was undone${times(said)}.`,
    import: (said) => `The store took ${said.points} by a list${times(said)}.`,
    moved_in: ({ points }) => `${points} from the earlier program ${points === "1" ? "was" : "were"} taken back.`,
    merge: ({ points }) => `${points} went to another account of yours.`,
    workflow: (said) => `${were(said.points)} taken by a workflow of the store${times(said)}.`,
    other: (said) => `Another application of the store took ${said.points}${times(said)}.`,
    debt: ({ points }) => `${points} made up for points that an earlier refund should have taken.`,
    expiration: ({ points }) => `${points} expired.`,
    deletion: ({ points }) => `${were(points)} deleted with the account.`,
  },
  other: (kind, points, count) => `${kind}: ${points} (${count}).`,
  total: (points) => `Together that is ${points}.`,
  allExpire: (points, day) => `The ${of(points, "point")} ${expire(points)} on ${day}.`,
  expire: (points, day) => `${points} ${expire(points)} on ${day}.`,
  neverExpire: (points) => `${points} ${points === "1" ? "does" : "do"} not expire.`,
  later: (points) => `${points} ${expire(points)} later, or never.`,
  laterThanHeld: (points) => `${points} ${expire(points)} later than the points on hold, or never.`,
  slides: () => "An order before then gives them more time.",
};
