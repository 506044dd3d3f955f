import type { Config } from "../../config.ts";
import type { Backlog } from "../../intake/read-backlog.ts";
import { findPlatformSettings, PLATFORMS } from "../../platforms/index.ts";
import { formatInstant } from "../../time/store-time.ts";
import { viewCustomer } from "../named-customer.ts";
import type { OneReceipt, ReceiptFacts, ReceiptFilters, UndoneState } from "./queries.ts";
import type {
  BacklogAnswer,
  Connections,
  ReceiptAnswer,
  ReceiptFilterQuery,
  ReceiptRow,
  ReceiptSummary,
} from "./schema.ts";

export function viewReceipt(receipt: ReceiptFacts): ReceiptRow {
  return { ...viewFacts(receipt), has_warnings: receipt.hasWarnings };
}

function viewFacts(receipt: ReceiptFacts): Omit<ReceiptRow, "has_warnings"> {
  const { uid, adapter, topic, subject, state, note, attempts } = receipt;
  return {
    ...{ uid, adapter, topic, subject, state, note, attempts },
    received_at: formatInstant(receipt.receivedAt),
    due_at: state === "new" ? formatInstant(receipt.dueAt) : null,
  };
}

/** A complete receipt; `isPersonal`: the reader may see the personal data in it. */
export function viewOneReceipt(receipt: OneReceipt, isPersonal: boolean): ReceiptAnswer["data"] {
  const { body, headers } = receipt;
  return {
    ...viewFacts(receipt),
    delivery_key: receipt.deliveryKey,
    warnings: receipt.warnings.map((kept) => ({ kind: null, values: {}, ...kept })),
    headers: isPersonal && headers !== null ? JSON.stringify(headers) : null,
    payload: isPersonal && body !== null ? body.toString("utf8") : null,
    payload_bytes: body?.length ?? null,
    order: receipt.orderId === null ? null : { id: receipt.orderId, name: receipt.orderName },
    customer: viewCustomer(receipt),
  };
}

/** Returns the filters of a query. */
export function receiptFiltersOf({ state, warned, topic, subject }: ReceiptFilterQuery): ReceiptFilters {
  return {
    state: state ?? null,
    isWarned: warned === "yes",
    topic: topic ?? null,
    subjects: subject === undefined ? null : subjectsOf(subject),
  };
}

/** Returns the subjects that a person may mean: a complete one, or the bare id of an order or customer. */
function subjectsOf(text: string): readonly string[] {
  return text.includes("/") || text === "shop" ? [text] : [`order/${text}`, `customer/${text}`];
}

export function viewSummary(
  counts: Readonly<Record<UndoneState, bigint>>,
  topics: string[],
  countedTo: number,
): ReceiptSummary["data"] {
  return {
    new: Number(counts.new),
    waiting: Number(counts.waiting),
    failed: Number(counts.failed),
    quarantined: Number(counts.quarantined),
    counted_to: countedTo,
    topics,
  };
}

export function viewBacklog({
  counts,
  countedTo,
  olderThan,
  oldestS,
  perMinute,
  leftS,
}: Backlog): BacklogAnswer["data"] {
  const { minute, tenMinutes, hour, day } = olderThan;
  return {
    new: Number(counts.new),
    waiting: Number(counts.waiting),
    failed: Number(counts.failed),
    quarantined: Number(counts.quarantined),
    counted_to: countedTo,
    older_than: {
      minute: Number(minute),
      ten_minutes: Number(tenMinutes),
      hour: Number(hour),
      day: Number(day),
    },
    oldest_s: oldestS,
    per_minute: perMinute,
    left_s: leftS,
  };
}

/** Where platforms and other systems send what they have to say. */
export function viewConnections({ publicUrl, platforms }: Pick<Config, "publicUrl" | "platforms">): Connections {
  const addressOf = (path: string) => `${publicUrl}/intake/${path}`;
  return {
    platforms: PLATFORMS.map(({ platform }) => ({
      platform,
      address: addressOf(`${platform}/webhooks`),
      has_secret: findPlatformSettings(platforms, platform).secrets.length > 0,
    })),
    events: addressOf("events"),
  };
}
