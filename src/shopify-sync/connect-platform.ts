import type { Deps } from "../deps.ts";
import type { JsonObject } from "../platforms/json-source.ts";
import { fieldOf } from "../platforms/json-source.ts";
import { userErrorsOf } from "../platforms/shopify/admin/answer.ts";
import {
  addWebhook,
  DELIVERY_PATH,
  missingScopes,
  type NeededScope,
  type PlatformWebhook,
  planWebhooks,
  readScopes,
  readShopSettings,
  readWebhooks,
  scopesOf,
  shopSettingsOf,
  webhooksOf,
} from "../platforms/shopify/admin/connection.ts";
import type { AdminRequest } from "../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { applyProgram } from "../program/apply-program.ts";
import { readProgram } from "../program/read-program.ts";
import { callAdmin } from "./call-admin.ts";

/** The platform cannot be connected; the message says why and what to do. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
}

export interface ConnectOrder {
  /** Only says what would be done. */
  readonly isDryRun: boolean;
  /** Whether the program gets the shop's currency and time zone where they differ. */
  readonly setsStore: boolean;
}

/** A setting of the program that is not the shop's. */
export interface StoreDifference {
  readonly field: "currency" | "time_zone";
  readonly ours: string;
  readonly shops: string;
}

export interface PlatformConnection {
  readonly missingScopes: readonly NeededScope[];
  readonly differences: readonly StoreDifference[];
  /** Whether the program was changed. */
  readonly isStoreSet: boolean;
  readonly url: string;
  /** Topics that were added; of a dry run those that would be. */
  readonly added: readonly string[];
  /** What a person has to look at, a sentence each. */
  readonly wrong: readonly string[];
}

const WEBHOOK_PAGES_MAX = 50;

/**
 * Connects the store to the platform: checks the scopes of the token, compares currency and time zone with the program, and adds the
 * webhooks that are missing. What is there already is left as it is, so it may be run again at any time.
 * @throws ConnectError where the platform refuses or a scope is missing without which nothing works
 */
export async function connectPlatform(
  deps: Deps,
  admin: ShopifyAdmin,
  { isDryRun, setsStore }: ConnectOrder,
): Promise<PlatformConnection> {
  const missing = missingScopes(scopesOf(await ask(deps, admin, readScopes())));
  const required = missing.filter((scope) => scope.isRequired);
  if (required.length > 0) {
    const names = required.map(({ handles }) => handles[0]).join(", ");
    throw new ConnectError(
      `The token lacks ${names}: add the scope to the app and install it again. Nothing was done.`,
    );
  }
  const differences = await compareStore(deps, await ask(deps, admin, readShopSettings()));
  const isStoreSet = setsStore && !isDryRun && differences.length > 0;
  if (isStoreSet) await setStore(deps, differences);
  const url = deliveryUrl(deps);
  const { missing: topics, wrong } = planWebhooks(await listWebhooks(deps, admin), url);
  const failed: string[] = [];
  const added: string[] = [];
  for (const topic of topics) {
    const fault = isDryRun ? null : await add(deps, admin, topic, url);
    if (fault === null) added.push(topic);
    else failed.push(`${topic} was not added: ${fault}`);
  }
  return { missingScopes: missing, differences, isStoreSet, url, added, wrong: [...wrong, ...failed] };
}

function deliveryUrl({ config }: Deps): string {
  const url = `${config.publicUrl.replace(/\/$/, "")}${DELIVERY_PATH}`;
  if (new URL(url).protocol === "https:") return url;
  throw new ConnectError(
    `PUBLIC_URL is ${config.publicUrl}: the platform delivers to https addresses only. Set it to the one at which the platform reaches this service. Nothing was done.`,
  );
}

async function ask(deps: Deps, admin: ShopifyAdmin, request: AdminRequest): Promise<JsonObject> {
  const result = await callAdmin(deps, admin, request);
  if (result.kind === "data") return result.data;
  const why = result.kind === "throttled" ? "its rate limit is used up" : result.detail;
  throw new ConnectError(`The platform did not answer ${admin.url} as expected: ${why}. Check SHOPIFY_ADMIN_TOKEN.`);
}

async function compareStore(deps: Deps, data: JsonObject): Promise<StoreDifference[]> {
  const { currency, timeZone } = shopSettingsOf(data);
  const { store } = await readProgram(deps.db);
  const pairs = [
    { field: "currency", ours: store.currency, shops: currency },
    { field: "time_zone", ours: store.timeZone, shops: timeZone },
  ] as const;
  return pairs.flatMap(({ field, ours, shops }) => (shops === null || shops === ours ? [] : [{ field, ours, shops }]));
}

async function setStore(deps: Deps, differences: readonly StoreDifference[]): Promise<void> {
  const store = Object.fromEntries(differences.map(({ field, shops }) => [field, shops]));
  await applyProgram(deps, { document: { store }, author: "command line", isDryRun: false });
}

async function listWebhooks(deps: Deps, admin: ShopifyAdmin): Promise<PlatformWebhook[]> {
  const all: PlatformWebhook[] = [];
  let after: string | null = null;
  for (let page = 0; page < WEBHOOK_PAGES_MAX; page++) {
    const { webhooks, next }: ReturnType<typeof webhooksOf> = webhooksOf(await ask(deps, admin, readWebhooks(after)));
    all.push(...webhooks);
    if (next === null) return all;
    after = next;
  }
  throw new ConnectError("The platform has more webhooks of this app than were expected. Nothing was done.");
}

/** Returns why a webhook was not added; null: it was. */
async function add(deps: Deps, admin: ShopifyAdmin, topic: string, url: string): Promise<string | null> {
  const result = await callAdmin(deps, admin, addWebhook(topic, url));
  if (result.kind !== "data") return result.kind === "throttled" ? "the rate limit is used up" : result.detail;
  const [error] = userErrorsOf(fieldOf(result.data, "webhookSubscriptionCreate"));
  return error?.message ?? null;
}
