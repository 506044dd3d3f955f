import type { Env } from "../environment.ts";
import type { EventWarning } from "../wire/event-warnings.ts";
import type { Json } from "./json-source.ts";
import type { NeutralEvent } from "./neutral-events.ts";

/** Names are in lower case. */
export type Headers = ReadonlyMap<string, string>;

/** The settings that every platform has. A platform's own settings are in `platforms/<name>/settings.ts`. */
export interface PlatformSettings {
  /** A signature by any of them is valid; none: every delivery is refused. */
  readonly secrets: readonly string[];
  /** The only shop that may deliver; undefined: any shop with a valid signature. */
  readonly shop: string | undefined;
}

/**
 * What this service can do at a platform on its own. `coupon-codes`: it creates and removes the codes of coupons there. `reconcile`: it
 * reads changes there.
 */
export type PlatformCapability = "coupon-codes" | "reconcile";

/** The content of a delivery's headers. None of it is signed. */
export interface DeliveryHead {
  readonly topic: string;
  /** In lower case; null: not stated. */
  readonly shop: string | null;
  readonly apiVersion: string | null;
  /** Unique for a delivery and its retries: the platform's id for it and the body's hash, because the id is not signed. */
  readonly deliveryKey: string;
}

export interface Delivery {
  readonly headers: Headers;
  readonly rawBody: Uint8Array;
  readonly receivedAt: Temporal.Instant;
  /** The store's currency, for bodies that name none. */
  readonly currency: string;
}

/**
 * `fault`: why the body cannot be accepted, for the quarantine; it names the field. No events: nothing in it is relevant to us. `warnings`:
 * it was accepted with changes.
 */
export type Translation =
  | { readonly ok: true; readonly events: readonly NeutralEvent[]; readonly warnings?: readonly EventWarning[] }
  | { readonly ok: false; readonly fault: string };

/** A platform's part of the intake. Pure: no clock, no database, no network. It never throws, whatever the bytes of a delivery. */
export interface PlatformAdapter<Settings extends PlatformSettings = PlatformSettings> {
  /** The name in `/intake/<platform>/webhooks` and in POINTKEEPER_PLATFORM. */
  readonly platform: string;
  /** Reads and validates the platform's own settings, once at the start. Throws `ConfigError`. */
  readSettings(env: Env): Settings;
  /** The prefixes of the headers that are stored with a delivery. Absent: `x-<platform>-` and `<platform>-`. */
  readonly headerPrefixes?: readonly string[];
  /**
   * Whether a request only tests if the address answers: it is unsigned, and answered with 200 while nothing is stored. Called with an
   * empty body before the body is read, then with the complete body. Absent: never.
   */
  isPing?(headers: Headers, rawBody: Uint8Array): boolean;
  /** Returns what these settings allow at the platform. Empty: it is never called. */
  capabilities(settings: Settings): readonly PlatformCapability[];
  /** Returns null if a header is missing that every delivery has. */
  describe(headers: Headers, rawBody: Uint8Array): DeliveryHead | null;
  verify(headers: Headers, rawBody: Uint8Array, secrets: readonly string[]): "ok" | "bad_signature" | "missing_header";
  /** Translates a verified delivery. The same bytes always give the same events, except for what follows from `receivedAt`. */
  translate(delivery: Delivery): Translation;
  /** Returns the topic under which a plain resource of an export is read: an order's, a customer's. null: it is neither. */
  topicOf(resource: Json): string | null;
  /** Returns the headers by which `translate` recognises a topic, for a body that was not delivered. */
  headersFor(topic: string): Readonly<Record<string, string>>;
}
