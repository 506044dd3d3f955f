import type { Deps } from "../deps.ts";
import type { CodeInput } from "../platforms/coupon-code.ts";
import type { Json } from "../platforms/json-source.ts";
import type { Fault } from "../problems.ts";

/** What a port needs to call its platform. */
export type PortDeps = Pick<Deps, "config" | "log" | "clock">;

/** The kinds of resources that a platform lists. */
export type Resource = "customers" | "products" | "orders";

/**
 * The calls to one platform: the codes of its coupons, its changes and history, and its connection. Nothing of it is called inside a
 * transaction, and requests that are throttled wait for a limited time.
 */
export interface PlatformPort {
  /** Its adapter's name. */
  readonly platform: string;
  readonly coupons: CouponPort;
  readonly history: HistoryPort;
  readonly connection: ConnectionPort;
}

/** A coupon's code as it may exist at the platform. */
export interface PlacedCode {
  readonly couponUid: string;
  readonly code: string;
}

/**
 * `refused` with faults: the platform rejects the values of the request. `refused` without faults: the platform cannot be used now.
 * `unknown`: the code may exist.
 */
export type CodeResult =
  | { readonly kind: "live"; readonly ref: string }
  | { readonly kind: "refused"; readonly faults: readonly Fault[]; readonly waitMs: number }
  | { readonly kind: "unknown" };

/** `used`: the platform has counted a use, whose order may not have arrived yet. `unknown`: the code may still exist. */
export type RemovalResult = "gone" | "used" | "unknown";

export interface CouponPort {
  /** A fault that is found before anything is sent: the platform cannot know this customer or product. Null: none. */
  foreignFault(input: Pick<CodeInput, "storefrontId" | "email" | "productIds">): Fault | null;
  /**
   * Creates a code. A code that an earlier request created without receiving the response is found and returned as `live`. `isRetry`:
   * an earlier request was sent, so a refusal of this one does not prove that the code does not exist.
   */
  create(input: CodeInput, isRetry: boolean): Promise<CodeResult>;
  /** The coupon's code; null where there is none, or where the code belongs to another discount. */
  find(code: PlacedCode): Promise<{ readonly ref: string } | null | "unknown">;
  /** Removes the coupon's code unless it was used; a code that no longer exists counts as removed. */
  remove(code: PlacedCode & { readonly ref: string }): Promise<RemovalResult>;
}

/** One page of a list, with each resource in the form in which a webhook delivers it. */
export interface ChangedPage {
  readonly resources: readonly Json[];
  /** All changes up to this time are read once the page is; null where the page gives no time. */
  readonly changedAt: Temporal.Instant | null;
  /** When the platform was asked for the page; absent: it does not matter for this platform. */
  readonly readAt?: Temporal.Instant;
  /** Where reading continues after this page, in the platform's own form; null or absent: from `changedAt`. */
  readonly position?: string | null;
}

/** Where reading a history begins. */
export interface HistoryStart {
  readonly since: Temporal.Instant;
  /** The position after the last page that was read; null where none was. */
  readonly position: string | null;
}

export interface HistoryPort {
  /** The resources of the history in reading order: customers first, so that their orders find them. */
  readonly resources: readonly Resource[];
  /** The prefix of the names of this platform's marks. */
  readonly markPrefix: string;
  /** The changes at or after `since`, oldest first. Throws where the platform fails. */
  changes(resource: Resource, since: Temporal.Instant, signal: AbortSignal): AsyncIterable<ChangedPage>;
  /** The whole history, as fast as the platform allows. Throws where the platform fails. */
  past(resource: Resource, start: HistoryStart, signal: AbortSignal): AsyncIterable<ChangedPage>;
  /** How many resources are still to be read; undefined where the platform did not report it. */
  count(resource: Resource, start: HistoryStart): Promise<number | undefined>;
}

/** A permission that the credentials lack. */
export interface MissingAccess {
  readonly scope: string;
  /** What does not work without it: "no coupon codes". */
  readonly without: string;
}

/** What has to be changed about the existing webhooks. */
export interface WebhookPlan {
  /** Topics to add. */
  readonly missing: readonly string[];
  /** Sentences about existing webhooks that a person has to look at. */
  readonly wrong: readonly string[];
}

/** Each method throws ConnectError where the platform refuses. */
export interface ConnectionPort {
  /** The path below PUBLIC_URL at which deliveries are received. */
  readonly deliveryPath: string;
  /** Steps that a person still has to take, as sentences. */
  readonly remarks: readonly string[];
  /** The missing permissions. Throws ConnectError where one is missing without which nothing works. */
  missingAccess(): Promise<readonly MissingAccess[]>;
  /** A value is null where the platform did not report it. */
  storeSettings(): Promise<{ readonly currency: string | null; readonly timeZone: string | null }>;
  planWebhooks(url: string): Promise<WebhookPlan>;
  /** Returns the reason why a webhook was not added; null where it was added. */
  addWebhook(topic: string, url: string): Promise<string | null>;
}
