import { monthText } from "../../liability/month.ts";
import type { Program } from "../../program/program.ts";
import type { RunResult } from "../../sales/result-queries.ts";
import { formatInstant } from "../../time/store-time.ts";
import { BENEFIT_KINDS, type BenefitKind } from "../../wire/benefits.ts";
import { viewCustomer } from "../named-customer.ts";
import type { ComparedRun } from "./compare-run.ts";
import type { ListedBenefits } from "./list-benefits.ts";
import type { Benefits } from "./read-benefits.ts";
import type { TieredResult } from "./read-result.ts";
import type { Results } from "./read-results.ts";
import type {
  BenefitMonthRow,
  BenefitsAnswer,
  ListedBenefitsAnswer,
  ResultAnswer,
  ResultRow,
  ResultsPage,
} from "./schema.ts";

export function resultsView({ runs, next, countedAt, program, now }: Results): ResultsPage {
  return {
    data: runs.map((run) => runView(run, program, now)),
    next,
    counted_at: countedAt === null ? null : formatInstant(countedAt),
  };
}

export function resultView({ tiers, program, now, ...run }: TieredResult): ResultAnswer {
  const names = new Map(program.tiers.rules.map(({ uid, name }, place) => [uid, { name, place }]));
  const placeOf = (uid: string) => names.get(uid)?.place ?? names.size;
  const rows = [...tiers].sort((a, b) => placeOf(a.tierUid) - placeOf(b.tierUid));
  return {
    data: {
      ...runView(run, program, now),
      tiers: rows.map(({ tierUid, orders, customers, revenue, points, extra }) => ({
        uid: tierUid,
        name: names.get(tierUid)?.name ?? null,
        orders: Number(orders),
        customers: Number(customers),
        revenue_minor: Number(revenue),
        points: Number(points),
        extra_points: Number(extra),
      })),
    },
  };
}

export function benefitsView({ months, firstMonth, lastMonth, pointWorth, countedAt }: Benefits): BenefitsAnswer {
  const rowOf = (kind: BenefitKind, month: number): BenefitMonthRow => {
    const found = months.find((row) => row.kind === kind && row.month === month);
    const { points, returned } = found ?? { points: 0n, returned: 0n };
    return {
      month: monthText(month),
      benefits: Number(found?.benefits ?? 0n),
      points: Number(points),
      returned: Number(returned),
      cost_minor: Number((points - returned) * pointWorth),
      used: Number(found?.used ?? 0n),
      over: Number(found?.over ?? 0n),
      ordered: Number(found?.ordered ?? 0n),
    };
  };
  const newest = Array.from({ length: lastMonth - firstMonth + 1 }, (_, n) => lastMonth - n);
  return {
    data: BENEFIT_KINDS.map((kind) => ({ kind, months: newest.map((month) => rowOf(kind, month)) })),
    counted_at: countedAt === null ? null : formatInstant(countedAt),
  };
}

export function listedBenefitsView({ rows, next, isDecided }: ListedBenefits): ListedBenefitsAnswer {
  return {
    data: rows.map((row) => ({
      uid: `${formatInstant(row.at)} ${row.customerUid}`,
      at: formatInstant(row.at),
      customer: viewCustomer(row),
      points: Number(row.points),
      is_used: row.isUsed,
      has_order: row.hasOrder || isDecided(row) ? row.hasOrder : null,
    })),
    next,
  };
}

function runView({ run, before }: ComparedRun, { coupons: { pointWorth } }: Program, now: Temporal.Instant): ResultRow {
  return {
    id: run.id,
    kind: run.kind,
    name: run.title,
    collection_id: run.kind === "bonus" ? run.name : null,
    starts_at: run.startsAt === null ? null : formatInstant(run.startsAt),
    ends_at: run.endsAt === null ? null : formatInstant(run.endsAt),
    state: stateOf(run, now),
    is_in_program: run.isInProgram,
    orders: Number(run.orders),
    customers: Number(run.customers),
    revenue_minor: Number(run.revenue),
    points: Number(run.points),
    cost_minor: Number(run.points * pointWorth),
    extra_points: Number(run.extra),
    extra_cost_minor: Number(run.extra * pointWorth),
    before:
      before === null
        ? null
        : {
            from: formatInstant(before.comparison.before.from),
            to: formatInstant(before.comparison.before.to),
            weeks: before.comparison.weeks,
            orders: Number(before.orders),
            revenue_minor: Number(before.revenue),
            points: Number(before.points),
            campaign_orders: Number(before.campaignOrders),
          },
  };
}

function stateOf({ startsAt, endsAt, isInProgram }: RunResult, now: Temporal.Instant): ResultRow["state"] {
  if (startsAt !== null && Temporal.Instant.compare(startsAt, now) > 0) return "planned";
  const isOver = endsAt !== null && Temporal.Instant.compare(endsAt, now) <= 0;
  return isOver || !isInProgram ? "past" : "running";
}
