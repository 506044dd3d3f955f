import { type ActionContent, type LineSpec, line, type OrderSpec, type StoreAction } from "./store-action.ts";
import { storeTime } from "./terms.ts";

/** Eight customers, each with a life that shows something of the program; all times are the store's. */

/** A time: year from 0, then `MM-DDTHH:MM`. */
type When = readonly [year: number, rest: string];

interface Life {
  does(when: When, content: ActionContent): void;
  /** An order that ships a day later, or when `shipped` says. */
  buys(when: When, id: string, lines: readonly LineSpec[], more?: Partial<OrderSpec> & { shipped?: When }): void;
}

export function plannedActions(firstYear: number): readonly StoreAction[] {
  const actions: StoreAction[] = [];
  const time = ([year, rest]: When) => storeTime(firstYear, year, rest);
  function life(shopper: string): Life {
    const does = (when: When, content: ActionContent) => void actions.push({ at: time(when), shopper, ...content });
    return {
      does,
      buys(when, id, lines, { shipped, ...more } = {}) {
        does(when, { kind: "order", order: { id, lines, ...more } });
        const at = shipped === undefined ? time(when).add({ hours: 25 }) : time(shipped);
        actions.push({ at, shopper, kind: "ship", orderId: id, shipmentId: `${id}-s`, lines });
      },
    };
  }
  regular(life("regular"));
  climber(life("climber"));
  survivor(life("survivor"));
  saver(life("saver"));
  lender(life("lender"));
  returner(life("returner"));
  leapling(life("leapling"));
  favoured(life("favoured"));
  latecomer(life("latecomer"), time);
  return actions;
}

/** Buys every month, so that nothing ever expires; birthday points are dated anew each time. */
function regular({ does, buys }: Life): void {
  does([0, "01-05T10:00"], { kind: "join", birthday: "1980-05-20", accepts: true, isSignup: true });
  for (let month = 0; month < 36; month++) {
    const when: When = [Math.floor(month / 12), `${String(1 + (month % 12)).padStart(2, "0")}-12T18:30`];
    const id = `regular-${month}`;
    buys(when, id, [
      line(`${id}-a`, 2_345),
      line(`${id}-b`, 990, { goods: "bonus" }),
      line(`${id}-c`, 77, { goods: "tip" }),
    ]);
  }
}

/**
 * Up to Gold, at a check's very midnight too, then down a tier at a time; the points go with the delay after the last order. Born on
 * 29 February: paid on that day in the leap year, on the 28th before and after.
 */
function climber({ does, buys }: Life): void {
  does([0, "01-05T11:00"], { kind: "join", birthday: "--02-29" });
  buys([0, "02-10T09:00"], "climb-1", [line("climb-1-a", 40_000)]);
  buys([0, "05-10T09:00"], "climb-2", [line("climb-2-a", 65_001), line("climb-2-b", 5_000, { goods: "excluded" })]);
  buys([0, "06-30T23:59"], "climb-3", [line("climb-3-a", 900)], { shipped: [0, "07-01T00:00"] });
  buys([0, "07-01T00:00"], "climb-4", [line("climb-4-a", 1_050)]);
  buys([0, "08-01T00:00"], "climb-5", [line("climb-5-a", 1_050)]);
  buys([0, "09-15T12:00"], "climb-6", [line("climb-6-a", 20_000)]);
  buys([2, "05-01T12:00"], "climb-7", [line("climb-7-a", 300_000)]);
  buys([2, "06-20T12:00"], "climb-8", [line("climb-8-a", 111)]);
  buys([2, "10-20T12:00"], "climb-9", [line("climb-9-a", 111)]);
  // after Gold was met again, nearly all of it comes back: past checks stay, the next one drops
  const back = line("climb-7-a", 300_000);
  does([2, "11-05T12:00"], { kind: "refund", orderId: "climb-7", refundId: "climb-7-r", units: [], more: 299_000n });
  does([2, "11-20T12:00"], { kind: "give", points: back.price / 100_000n });
}

/** One order, then only what does not extend: it survives the rest; the shorter delay finds some of it, a gift dates it anew. */
function survivor({ does, buys }: Life): void {
  does([0, "01-06T10:00"], { kind: "join", birthday: "--03-03", isSignup: true });
  buys([0, "01-20T12:00"], "survive-1", [line("survive-1-a", 8_000)]);
  does([0, "04-10T12:00"], { kind: "flow", runId: "survive-a", points: 50n, extends: false });
  does([0, "08-31T12:00"], { kind: "flow", runId: "survive-b", points: 70n, extends: false });
  does([0, "11-11T12:00"], { kind: "give", points: -60n });
  does([0, "12-20T12:00"], { kind: "flow", runId: "survive-c", points: 90n, extends: false });
  does([2, "03-20T12:00"], { kind: "give", points: 11n });
  does([2, "03-31T12:00"], { kind: "flow", runId: "survive-d", points: 40n, extends: false });
  does([2, "05-31T12:00"], { kind: "flow", runId: "survive-e", points: 20n, extends: true });
}

/** Coupons used, used in the grace and after it, dropped, refused, and left to end. */
function saver({ does, buys }: Life): void {
  does([0, "01-10T10:00"], { kind: "join", isSignup: true });
  does([0, "01-11T10:00"], { kind: "give", points: 3_000n });
  does([0, "02-01T10:00"], { kind: "issue", coupon: "save-1", points: 500n });
  const [bowls, pots] = [line("save-1-a", 1_000, { quantity: 2n, off: 200n }), line("save-1-b", 3_000, { off: 300n })];
  buys([0, "02-01T13:00"], "save-1", [bowls, pots], { coupon: "save-1" });
  does([0, "02-20T10:00"], { kind: "drop", coupon: "save-1" });
  does([0, "03-01T10:00"], refundOf("save-1", "r1", bowls, 1n));
  does([0, "03-10T10:00"], { kind: "issue", coupon: "save-2", points: 333n });
  does([0, "04-01T10:00"], { kind: "issue", coupon: "save-3", points: 400n });
  buys([0, "04-02T20:00"], "save-3", [line("save-3-a", 999, { off: 400n })], { coupon: "save-3" });
  does([0, "05-01T10:00"], { kind: "issue", coupon: "save-4", points: 700n });
  buys([0, "05-05T10:00"], "save-4", [line("save-4-a", 2_000, { off: 700n })], { coupon: "save-4" });
  does([0, "05-20T10:00"], refundOf("save-1", "r2", pots, 1n));
  does([0, "05-25T10:00"], refundOf("save-1", "r3", bowls, 1n));
  does([0, "06-01T10:00"], { kind: "issue", coupon: "save-5", points: 500n });
  does([0, "06-01T12:00"], { kind: "drop", coupon: "save-5" });
  does([0, "06-01T13:00"], { kind: "drop", coupon: "save-5" });
  does([0, "06-02T10:00"], { kind: "set", balance: 200n });
  buys([0, "06-05T10:00"], "save-5", [line("save-5-a", 1_500, { off: 500n })], { coupon: "save-5" });
  does([0, "06-15T10:00"], { kind: "cancel", orderId: "save-5" });
  does([0, "07-02T10:00"], { kind: "issue", coupon: "save-6", points: 100_000n });
  does([0, "08-01T10:00"], { kind: "set", balance: 2_000n });
  does([0, "08-02T10:00"], { kind: "issue", coupon: "save-7", points: 800n });
  buys([0, "08-02T12:00"], "save-7", [line("save-7-a", 600, { off: 600n })], { coupon: "save-7" });
  does([0, "09-02T12:00"], { kind: "cancel", orderId: "save-7" });
  does([2, "01-15T12:00"], { kind: "give", points: 5n });
}

/**
 * Points that a coupon drew come back after their date: they have 30 days, whatever extends the others. What goes sooner is spent
 * first, what was drawn last comes back first, and a refund takes its order's points before those that would go sooner.
 */
function lender({ does, buys }: Life): void {
  does([0, "01-10T10:30"], { kind: "join", birthday: "1970-02-14" });
  does([0, "01-12T10:00"], { kind: "give", points: 300n });
  does([0, "02-20T10:00"], { kind: "issue", coupon: "lend-1", points: 400n });
  const cups = line("lend-1-a", 1_000, { quantity: 4n, off: 400n });
  buys([0, "02-20T11:00"], "lend-1", [cups], { coupon: "lend-1" });
  does([0, "03-10T10:00"], { kind: "flow", runId: "lend-a", points: 60n, extends: false });
  does([1, "02-10T10:00"], refundOf("lend-1", "r1", cups, 1n));
  does([1, "03-05T10:00"], refundOf("lend-1", "r2", cups, 1n));
  does([1, "03-06T10:00"], { kind: "give", points: -30n });
  does([1, "03-07T10:00"], { kind: "issue", coupon: "lend-2", points: 120n });
  const jars = line("lend-2-a", 1_000, { quantity: 2n, off: 120n });
  buys([1, "03-07T11:00"], "lend-2", [jars], { coupon: "lend-2" });
  does([1, "03-08T18:00"], refundOf("lend-2", "r1", jars, 1n));
  does([1, "03-15T10:00"], { kind: "cancel", orderId: "lend-1" });
  does([2, "01-08T10:00"], { kind: "give", points: 250n });
  does([2, "01-09T10:00"], { kind: "set", balance: 0n });
  does([2, "02-15T10:00"], { kind: "flow", runId: "lend-b", points: 120n, extends: false });
  does([2, "08-13T10:00"], { kind: "issue", coupon: "lend-3", points: 150n });
}

/** Refunds: late and partial, of points that were spent or have expired, of goods that never shipped; a shipment called back. */
function returner({ does, buys }: Life): void {
  does([0, "01-15T10:00"], { kind: "join", accepts: true });
  const [a, b] = [line("back-1-a", 10_000, { quantity: 3n }), line("back-1-b", 5_050, { goods: "bonus" })];
  buys([0, "02-03T10:00"], "back-1", [a, b]);
  does([0, "03-03T10:00"], { kind: "give", points: -350n });
  does([0, "11-03T10:00"], refundOf("back-1", "r1", a, 1n));
  does([0, "11-10T10:00"], { kind: "give", points: 500n });
  does([0, "11-20T10:00"], refundOf("back-1", "r2", a, 1n));
  buys([0, "12-01T10:00"], "back-2", [line("back-2-a", 20_000)]);
  does([0, "12-10T10:00"], { kind: "refund", orderId: "back-2", refundId: "back-2-r1", units: [], more: 3_333n });
  // both years' points are gone when these come back
  does([2, "02-20T10:00"], refundOf("back-1", "r3", b, 1n));
  does([2, "02-21T10:00"], { kind: "cancel", orderId: "back-2" });
  const [c, d] = [line("back-3-a", 4_444), line("back-3-b", 6_666, { goods: "bonus" })];
  does([2, "03-01T10:00"], { kind: "order", order: { id: "back-3", lines: [c, d], isPending: true } });
  does([2, "03-02T10:00"], { kind: "ship", orderId: "back-3", shipmentId: "back-3-s", lines: [c] });
  does([2, "03-03T10:00"], { kind: "pay", orderId: "back-3" });
  does([2, "03-20T10:00"], { ...refundOf("back-3", "r1", d, 1n), isUnshipped: true });
  buys([2, "04-10T10:00"], "back-4", [line("back-4-a", 33_333)]);
  does([2, "04-20T10:00"], { kind: "unship", orderId: "back-4", shipmentId: "back-4-s" });
  const again = [line("back-4-a", 33_333)];
  does([2, "07-05T10:00"], { kind: "ship", orderId: "back-4", shipmentId: "back-4-s2", lines: again });
}

/** Born on 29 February; later dates that would dodge the once-a-year rule; a consent that comes and goes pays once. */
function leapling({ does }: Life): void {
  does([0, "01-20T10:00"], { kind: "join", birthday: "--02-29", accepts: false, isSignup: true });
  does([0, "02-01T10:00"], { kind: "consent", accepts: true });
  does([0, "02-02T10:00"], { kind: "consent", accepts: false });
  does([0, "02-03T10:00"], { kind: "consent", accepts: true });
  does([1, "03-10T10:00"], { kind: "birthday", birthday: "1992-06-01" });
  does([1, "12-10T10:00"], { kind: "birthday", birthday: "1992-01-15" });
  does([2, "02-10T10:00"], { kind: "birthday", birthday: "1992-02-28" });
  does([2, "09-09T10:00"], { kind: "birthday", birthday: "1992-09-09" });
}

/** Placed by hand, held by a floor, a check skipped, the floor cleared. */
function favoured({ does, buys }: Life): void {
  does([0, "01-25T10:00"], { kind: "join" });
  does([0, "02-01T10:00"], { kind: "place", tier: 2, minimum: 1 });
  buys([0, "03-15T10:00"], "favour-1", [line("favour-1-a", 12_345)]);
  does([0, "05-01T10:00"], { kind: "place", tier: 2 });
  does([0, "06-01T10:00"], { kind: "place", skips: true });
  buys([0, "07-20T10:00"], "favour-2", [line("favour-2-a", 12_345)]);
  buys([1, "08-20T10:00"], "favour-3", [line("favour-3-a", 12_345)]);
  does([1, "09-01T10:00"], { kind: "place", tier: 2, minimum: null });
  buys([1, "09-02T10:00"], "favour-4", [line("favour-4-a", 12_345)]);
}

/** Late events: orders of a campaign, of another tier, of before the change of the program; shipments of before a check. */
function latecomer({ does, buys }: Life, time: (when: When) => Temporal.Instant): void {
  does([0, "01-28T10:00"], { kind: "join" });
  buys([0, "03-20T10:00"], "late-1", [line("late-1-a", 31_000)], { shipped: [0, "03-21T10:00"] });
  // Silver since April: bought in March and reported in May, it earns as Bronze
  buys([0, "05-02T10:00"], "late-2", [line("late-2-a", 9_999)], { processedAt: time([0, "03-31T23:59"]) });
  buys([0, "08-20T10:00"], "late-3", [line("late-3-a", 5_000)], { processedAt: time([0, "07-31T23:59"]) });
  buys([0, "09-01T10:00"], "late-4", [line("late-4-a", 5_000)], { processedAt: time([0, "06-30T23:59"]) });
  // enough for Gold, shipped before the check of October and reported after it: the next check counts it
  const big = line("late-5-a", 70_000);
  does([0, "10-02T10:00"], {
    kind: "order",
    order: { id: "late-5", lines: [big], processedAt: time([0, "09-28T10:00"]) },
  });
  const shippedAt = time([0, "09-29T10:00"]);
  does([0, "10-03T10:00"], { kind: "ship", orderId: "late-5", shipmentId: "late-5-s", lines: [big], shippedAt });
  buys([1, "06-12T10:00"], "late-6", [line("late-6-a", 10_000)], { processedAt: time([1, "06-10T09:59"]) });
  buys([1, "06-13T10:00"], "late-7", [line("late-7-a", 10_000)], { processedAt: time([1, "06-10T10:01"]) });
  buys([1, "09-10T10:00"], "late-8", [line("late-8-a", 10_000)], { processedAt: time([1, "08-31T23:59"]) });
}

function refundOf(orderId: string, name: string, refunded: LineSpec, count: bigint) {
  return { kind: "refund", orderId, refundId: `${orderId}-${name}`, units: [{ line: refunded, count }] } as const;
}
