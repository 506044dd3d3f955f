import { revisionOf } from "../../http/revision.ts";
import type { Program } from "../../program/program.ts";
import { type Segment, valuesOfSegment } from "../../segments/segment-queries.ts";
import { formatInstant } from "../../time/store-time.ts";
import { bodyOfFilter } from "./filter-names.ts";
import type { ListedBuyer } from "./queries.ts";
import type { SegmentCustomer, SegmentRow } from "./schema.ts";

const BUCKETS = 256;

export function viewSegment(segment: Segment): SegmentRow {
  const { uid, name, filter, createdBy, createdAt, customers, countedAt, nextBucket } = segment;
  return {
    uid,
    name,
    filter: bodyOfFilter(filter),
    revision: revisionOf(valuesOfSegment(segment)),
    created_by: createdBy,
    created_at: formatInstant(createdAt),
    customers: customers === null ? null : Number(customers),
    counted_at: countedAt === null ? null : formatInstant(countedAt),
    progress: nextBucket === null ? null : nextBucket / BUCKETS,
  };
}

export function viewSegmentCustomer(row: ListedBuyer, program: Program): SegmentCustomer {
  const { id, name, email, points, orders, spend, lastOrderAt } = row;
  return {
    id,
    name,
    email,
    tier: shownTierName(row, program),
    points: Number(points),
    orders: Number(orders),
    spend_minor: Number(spend),
    last_order_at: lastOrderAt === null ? null : formatInstant(lastOrderAt),
  };
}

export function shownTierName({ tierUid }: ListedBuyer, { tiers: { rules } }: Program): string | null {
  return (rules.find(({ uid }) => uid === tierUid) ?? rules.find(({ isDefault }) => isDefault))?.name ?? null;
}
