import { type GrowthFigure, JOINED } from "../../growth/growth-share.ts";
import type { MonthCustomers } from "../../growth/read-queries.ts";
import type { TierMove } from "../../growth/tier-months.ts";
import { monthText } from "../../liability/month.ts";
import { categoryPoints, netPoints } from "../../metrics/movement-category.ts";
import { formatInstant, localDate } from "../../time/store-time.ts";
import type { MovedPage } from "./list-moved.ts";
import type { StaysPage } from "./list-stays.ts";
import type { Growth } from "./read-growth.ts";
import type { GuestMonths } from "./read-guests.ts";
import type { JoinMonths } from "./read-join-months.ts";
import type { TiersOverTime } from "./read-tiers-over-time.ts";
import type {
  GrowthAnswer,
  GuestsAnswer,
  JoinMonthRow,
  JoinMonthsAnswer,
  MovesAnswer,
  StaysAnswer,
  TiersOverTimeAnswer,
} from "./schema.ts";

export function guestsView(read: GuestMonths): GuestsAnswer {
  const { sums, starts, timeZone, countedAt } = read;
  const sumsOf = (place: number, isGuest: boolean) => {
    const found = sums.find((sum) => sum.place === place && sum.isGuest === isGuest);
    return { orders: Number(found?.orders ?? 0n), revenue_minor: Number(found?.revenue ?? 0n) };
  };
  const months = starts.slice(1).map((end, place) => {
    const next = Temporal.PlainDate.from(localDate(end, timeZone));
    return {
      from: next.subtract({ months: 1 }).toString(),
      to: next.subtract({ days: 1 }).toString(),
      customers: sumsOf(place, false),
      guests: sumsOf(place, true),
    };
  });
  return { data: months.reverse(), counted_at: instantText(countedAt) };
}

export function growthView({ firstMonth, lastMonth, figures, lapsing, countedAt }: Growth): GrowthAnswer {
  const months = Array.from({ length: lastMonth - firstMonth + 1 }, (_, place) => {
    const own = figures.filter(({ month }) => month === firstMonth + place);
    return {
      month: monthText(firstMonth + place),
      joined: sumOf(own, "joined"),
      first_ordered: sumOf(own, "first_ordered"),
      lapsed: Number(lapsing.get(firstMonth + place) ?? 0n),
    };
  });
  const lapsed = Number([...lapsing.values()].reduce((sum, count) => sum + count, 0n));
  const [all, ordered, reordered] = [sumOf(figures, "joined"), sumOf(figures, "ordered"), sumOf(figures, "reordered")];
  const customers = {
    all,
    active: reordered - lapsed,
    lapsing: lapsed,
    once: ordered - reordered,
    never: all - ordered,
  };
  return { data: { months: months.reverse(), customers }, counted_at: instantText(countedAt) };
}

export function joinMonthsView({ firstMonth, lastMonth, figures, points, countedAt }: JoinMonths): JoinMonthsAnswer {
  const rowOf = (name: string | null, isOwn: (month: number) => boolean): JoinMonthRow => {
    const own = figures.filter(({ month }) => isOwn(month));
    const moved = categoryPoints(points.filter(({ month }) => isOwn(month)));
    return {
      month: name,
      customers: sumOf(own, "joined"),
      ordered: sumOf(own, "ordered"),
      reordered: sumOf(own, "reordered"),
      given: Number(moved.issued - moved.refunded),
      used: Number(moved.spent - moved.returned),
      expired: Number(moved.expired),
      adjusted: Number(moved.adjusted),
      kept: Number(netPoints(moved)),
    };
  };
  const rows = Array.from({ length: lastMonth - firstMonth + 1 }, (_, n) => lastMonth - n).map((month) =>
    rowOf(monthText(month), (other) => other === month),
  );
  const before = rowOf(null, (month) => month < firstMonth);
  const isEmpty = (row: JoinMonthRow) => Object.values(row).every((value) => typeof value !== "number" || value === 0);
  const oldest = rows.findLastIndex((row) => !isEmpty(row));
  const data = isEmpty(before) ? rows.slice(0, oldest + 1) : [...rows, before];
  return { data, counted_at: instantText(countedAt) };
}

export function tiersOverTimeView({ rules, months, countedAt }: TiersOverTime): TiersOverTimeAnswer {
  return {
    data: months.map(({ month, customers, up, down, kept }) => ({
      month: monthText(month),
      customers: customers.map(Number),
      up: Number(up),
      down: Number(down),
      kept: Number(kept.reduce((sum, count) => sum + count, 0n)),
      kept_by_tier: kept.map(Number),
    })),
    tiers: rules.map(({ uid, name }) => ({ uid, name })),
    counted_at: instantText(countedAt),
  };
}

/** Returns the names of tiers; a deleted tier has the default one's. */
function tierNames(rules: MovedPage["rules"]): (uid: string) => string {
  const standard = rules.find(({ isDefault }) => isDefault)?.name ?? "";
  return (uid) => rules.find((rule) => rule.uid === uid)?.name ?? standard;
}

export function staysView({ rows, next, month, rules }: StaysPage): StaysAnswer {
  const nameOf = tierNames(rules);
  return {
    data: rows.map((row) => ({
      customer: { id: row.customerId, name: row.customerName, email: row.customerEmail },
      tier: nameOf(row.tierUid),
      since: monthText(row.since),
      now: nameOf(row.nowUid),
      month,
    })),
    next,
  };
}

export function movesView({ rows, next, month, rules, moves }: MovedPage): MovesAnswer {
  const nameOf = tierNames(rules);
  const pairOf = ({ from, to }: Pick<TierMove, "from" | "to">) => ({
    from: from === JOINED ? null : nameOf(from),
    to: nameOf(to),
  });
  return {
    data: rows.map((row) => ({
      customer: { id: row.customerId, name: row.customerName, email: row.customerEmail },
      ...pairOf(row),
      month,
    })),
    next,
    pairs: moves.map((move) => ({
      ...pairOf(move),
      from_uid: move.from,
      to_uid: move.to,
      customers: Number(move.customers),
    })),
  };
}

function sumOf(figures: readonly MonthCustomers[], name: GrowthFigure): number {
  return figures.reduce((sum, { figure, customers }) => (figure === name ? sum + Number(customers) : sum), 0);
}

function instantText(at: Temporal.Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}
