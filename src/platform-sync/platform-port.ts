import type { Deps } from "../deps.ts";
import type { CodeInput } from "../platforms/coupon-code.ts";
import type { Json } from "../platforms/json-source.ts";
import type { Fault } from "../problems.ts";

/** What a port calls a platform with. */
export type PortDeps = Pick<Deps, "config" | "log">;

/** What a platform lists. */
export type Resource = "customers" | "products" | "orders";

/**
 * One platform, as it is called: its coupons' codes, what changed there, and how it is connected. Nothing of it is called inside a
 * transaction, and requests that are throttled wait for a bounded time.
 */
export interface PlatformPort {
  /** Its adapter's name. */
  readonly platform: string;
  readonly coupons: CouponPort;
  readonly history: HistoryPort;
  readonly connection: ConnectionPort;
}

/** A code at the platform that a coupon may have. */
export interface PlacedCode {
  readonly couponUid: string;
  readonly code: string;
}

/**
 * `refused` with faults: the platform does not take the values of the request; without: it cannot be used now. `unknown`: the code may
 * exist.
 */
export type CodeResult =
  | { readonly kind: "live"; readonly ref: string }
  | { readonly kind: "refused"; readonly faults: readonly Fault[]; readonly waitMs: number }
  | { readonly kind: "unknown" };

/** `used`: the platform has counted a use, whose order may not have come yet. `unknown`: the code may still exist. */
export type RemovalResult = "gone" | "used" | "unknown";

export interface CouponPort {
  /** What keeps the platform from knowing for whom or what a code is, before anything is sent; null: nothing. */
  foreignFault(input: Pick<CodeInput, "storefrontId" | "email" | "productIds">): Fault | null;
  /**
   * Creates a code. One that an earlier request created without getting the answer is found and is `live`. `isRetry`: there was an
   * earlier request, so that a refusal of this one proves nothing.
   */
  create(input: CodeInput, isRetry: boolean): Promise<CodeResult>;
  /** The coupon's code; null: there is none, or it is another's. */
  find(code: PlacedCode): Promise<{ readonly ref: string } | null | "unknown">;
  /** Removes the coupon's code unless it was used; one that is gone already counts as removed. */
  remove(code: PlacedCode & { readonly ref: string }): Promise<RemovalResult>;
}

/** Part of a list: each resource as it is delivered. */
export interface ChangedPage {
  readonly resources: readonly Json[];
  /** Changes up to here are read with it; null: it says none. */
  readonly changedAt: Temporal.Instant | null;
  /** Where reading is continued after it, in the platform's own form; null or absent: at `changedAt`. */
  readonly position?: string | null;
}

/** Where a history is read from. */
export interface HistoryStart {
  readonly since: Temporal.Instant;
  /** Of the last page that was read; null: none was. */
  readonly position: string | null;
}

export interface HistoryPort {
  /** What the history consists of, in the order in which it is read: customers first, so that orders find them. */
  readonly resources: readonly Resource[];
  /** How the names of the marks of this platform begin. */
  readonly markPrefix: string;
  /** What changed at or after a moment, oldest change first. Throws where the platform fails. */
  changes(resource: Resource, since: Temporal.Instant, signal: AbortSignal): AsyncIterable<ChangedPage>;
  /** All that there is, as fast as the platform gives it. Throws where the platform fails. */
  past(resource: Resource, start: HistoryStart, signal: AbortSignal): AsyncIterable<ChangedPage>;
  /** How many are still to be read; undefined: the platform did not say. */
  count(resource: Resource, start: HistoryStart): Promise<number | undefined>;
}

/** A permission that the credentials lack. */
export interface MissingAccess {
  readonly scope: string;
  /** What there is without it: "no coupon codes". */
  readonly without: string;
}

/** What is to be done about the webhooks that there are. */
export interface WebhookPlan {
  /** Topics to add. */
  readonly missing: readonly string[];
  /** Sentences about those that a person has to look at. */
  readonly wrong: readonly string[];
}

/** Each throws ConnectError where the platform refuses. */
export interface ConnectionPort {
  /** The path below PUBLIC_URL at which deliveries are received. */
  readonly deliveryPath: string;
  /** What a person has to do besides; sentences. */
  readonly remarks: readonly string[];
  /** Throws ConnectError where one is missing without which nothing works. */
  missingAccess(): Promise<readonly MissingAccess[]>;
  /** Null: the platform did not say. */
  storeSettings(): Promise<{ readonly currency: string | null; readonly timeZone: string | null }>;
  planWebhooks(url: string): Promise<WebhookPlan>;
  /** Returns why a webhook was not added; null: it was. */
  addWebhook(topic: string, url: string): Promise<string | null>;
}
