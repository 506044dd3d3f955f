import type { HomeCampaign, HomeDay } from "../../../src/admin/home/schema.ts";

export type Grouping = "day" | "week" | "month";

/** The chart's values for a group of days: its first day, the points moved in it, and those outstanding at its end. */
export interface DayGroup extends HomeDay {
  readonly day: string;
}

const DAILY_MAX = 62;
const WEEKLY_MAX = 370;
const WEEK = 7;

/** A long period is shown by weeks (aligned to its end) or months, so that each bar is visible. */
export function groupingOf(days: number): Grouping {
  if (days <= DAILY_MAX) return "day";
  return days <= WEEKLY_MAX ? "week" : "month";
}

export function groupDays(days: readonly HomeDay[], grouping: Grouping): DayGroup[] {
  if (grouping === "day") return [...days];
  const keyOf = (day: HomeDay, index: number) =>
    grouping === "month" ? day.day.slice(0, 7) : String(Math.floor((days.length - 1 - index) / WEEK));
  const groups = new Map<string, DayGroup>();
  for (const [index, day] of days.entries()) {
    const key = keyOf(day, index);
    const group = groups.get(key);
    groups.set(key, group === undefined ? day : joined(group, day));
  }
  return [...groups.values()];
}

function joined(group: DayGroup, next: HomeDay): DayGroup {
  return {
    day: group.day,
    issued: group.issued + next.issued,
    spent: group.spent + next.spent,
    expired: group.expired + next.expired,
    refunded: group.refunded + next.refunded,
    returned: group.returned + next.returned,
    adjusted: group.adjusted + next.adjusted,
    outstanding: next.outstanding,
  };
}

/** Returns where campaigns begin: the first day of each such group, with their numbers, counted from 1. */
export function marksOf(
  groups: readonly DayGroup[],
  campaigns: readonly HomeCampaign[],
): readonly { readonly day: string; readonly numbers: readonly number[] }[] {
  const marks = new Map<string, number[]>();
  for (const [index, { from }] of campaigns.entries()) {
    const group = groups.findLast(({ day }) => day <= from) ?? groups[0];
    if (group === undefined) continue;
    marks.set(group.day, [...(marks.get(group.day) ?? []), index + 1]);
  }
  return [...marks].map(([day, numbers]) => ({ day, numbers }));
}
