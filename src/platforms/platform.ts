import type { Env } from "../environment.ts";
import type { EventWarning } from "../wire/event-warnings.ts";
import type { Json } from "./json-source.ts";
import type { NeutralEvent } from "./neutral-events.ts";

/** Names in lower case. */
export type Headers = ReadonlyMap<string, string>;

/** The settings that every platform has. Its own come beside them: `platforms/<name>/settings.ts`. */
export interface PlatformSettings {
  /** Any of them signs; none: every delivery is refused. */
  readonly secrets: readonly string[];
  /** The one shop that may deliver; undefined: any that signs rightly. */
  readonly shop: string | undefined;
}

/**
 * What this service does at a platform of its own accord. `coupon-codes`: it creates the codes of coupons there and removes them. `reconcile`: it
 * reads there what changed.
 */
export type PlatformCapability = "coupon-codes" | "reconcile";

/** What the headers of a delivery say. None of it is signed. */
export interface DeliveryHead {
  readonly topic: string;
  /** Lower case; null: not said. */
  readonly shop: string | null;
  readonly apiVersion: string | null;
  /** Unique for a delivery and its retries: the platform's id for it and the body's hash, since the id is not signed. */
  readonly deliveryKey: string;
}

export interface Delivery {
  readonly headers: Headers;
  readonly rawBody: Uint8Array;
  readonly receivedAt: Temporal.Instant;
  /** The store's currency, for bodies that name none. */
  readonly currency: string;
}

/** `fault`: why the body cannot be taken, for the quarantine; it names the field. No events: nothing of it concerns us. `warnings`: taken, though
 * not as it stands. */
export type Translation =
  | { readonly ok: true; readonly events: readonly NeutralEvent[]; readonly warnings?: readonly EventWarning[] }
  | { readonly ok: false; readonly fault: string };

/** A platform's side of the intake. Pure: no clock, no database, no network. Whatever the bytes of a delivery, nothing throws. */
export interface PlatformAdapter<Settings extends PlatformSettings = PlatformSettings> {
  /** The name in `/intake/<platform>/webhooks` and in POINTKEEPER_PLATFORM. */
  readonly platform: string;
  /** Reads and checks the platform's own settings, once at the start. Throws `ConfigError`. */
  readSettings(env: Env): Settings;
  /** How the names of the headers begin that are kept with a delivery. Absent: `x-<platform>-` and `<platform>-`. */
  readonly headerPrefixes?: readonly string[];
  /**
   * Whether a request only asks if the address answers: it is unsigned, and answered 200 with nothing stored. Asked with an empty body
   * before the body is read, then with the whole. Absent: never.
   */
  isPing?(headers: Headers, rawBody: Uint8Array): boolean;
  /** What these settings allow to be done at the platform. None: it is never called. */
  capabilities(settings: Settings): readonly PlatformCapability[];
  /** Null: a header is missing that every delivery has. */
  describe(headers: Headers, rawBody: Uint8Array): DeliveryHead | null;
  verify(headers: Headers, rawBody: Uint8Array, secrets: readonly string[]): "ok" | "bad_signature" | "missing_header";
  /** Translates a verified delivery. Twice the same bytes give the same events, but for `receivedAt`. */
  translate(delivery: Delivery): Translation;
  /** The topic under which a plain resource of an export is read: an order's, a customer's. Null: it is neither. */
  topicOf(resource: Json): string | null;
  /** The headers by which `translate` knows a topic, for a body that came by no delivery. */
  headersFor(topic: string): Readonly<Record<string, string>>;
}
