import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { changeProgram } from "../tiers/change-program.ts";
import { ConnectError } from "./connect-error.ts";
import type { ConnectionPort, MissingAccess } from "./platform-port.ts";

export interface ConnectOrder {
  /** Changes nothing and only returns what would be done. */
  readonly isDryRun: boolean;
  /** Whether the program takes over the shop's currency and time zone where they differ. */
  readonly setsStore: boolean;
}

/** A setting in which the program differs from the shop. */
export interface StoreDifference {
  readonly field: "currency" | "time_zone";
  readonly ours: string;
  readonly shops: string;
}

export interface PlatformConnection {
  readonly missingAccess: readonly MissingAccess[];
  readonly differences: readonly StoreDifference[];
  /** Whether the program was changed. */
  readonly isStoreSet: boolean;
  readonly url: string;
  /** The webhook topics that were added, or in a dry run would be. */
  readonly added: readonly string[];
  /** Problems that a person has to look at, one sentence each. */
  readonly wrong: readonly string[];
  /** Steps that a person still has to take, one sentence each. */
  readonly remarks: readonly string[];
}

/**
 * Connects the store to the platform: checks the permissions of its credentials, compares currency and time zone with the program, and adds
 * the missing webhooks. Existing webhooks are left as they are, so it can be run again at any time.
 * @throws ConnectError where the platform refuses, or a permission is missing without which nothing works
 */
export async function connectPlatform(
  deps: Deps,
  port: ConnectionPort,
  { isDryRun, setsStore }: ConnectOrder,
): Promise<PlatformConnection> {
  const missingAccess = await port.missingAccess();
  const differences = await compareStore(deps, await port.storeSettings());
  const isStoreSet = setsStore && !isDryRun && differences.length > 0;
  if (isStoreSet) await setStore(deps, differences);
  const url = deliveryUrl(deps, port);
  const { missing: topics, wrong } = await port.planWebhooks(url);
  const failed: string[] = [];
  const added: string[] = [];
  for (const topic of topics) {
    const fault = isDryRun ? null : await port.addWebhook(topic, url);
    if (fault === null) added.push(topic);
    else failed.push(`${topic} was not added: ${fault}`);
  }
  const { remarks } = port;
  return { missingAccess, differences, isStoreSet, url, added, wrong: [...wrong, ...failed], remarks };
}

function deliveryUrl({ config }: Deps, { deliveryPath }: ConnectionPort): string {
  const url = `${config.publicUrl.replace(/\/$/, "")}${deliveryPath}`;
  if (new URL(url).protocol === "https:") return url;
  throw new ConnectError(
    `PUBLIC_URL is ${config.publicUrl}: the platform delivers to https addresses only. Set it to the one at which the platform reaches this service. Nothing was done.`,
  );
}

async function compareStore(
  deps: Deps,
  { currency, timeZone }: Awaited<ReturnType<ConnectionPort["storeSettings"]>>,
): Promise<StoreDifference[]> {
  const { store } = await readProgram(deps.db);
  const pairs = [
    { field: "currency", ours: store.currency, shops: currency },
    { field: "time_zone", ours: store.timeZone, shops: timeZone },
  ] as const;
  return pairs.flatMap(({ field, ours, shops }) => (shops === null || shops === ours ? [] : [{ field, ours, shops }]));
}

/** Sets the fields like every change of the program: what is due is written off first, for ten seconds at most, and open checks of tiers are finished. */
async function setStore(deps: Deps, differences: readonly StoreDifference[]): Promise<void> {
  const store = Object.fromEntries(differences.map(({ field, shops }) => [field, shops]));
  await changeProgram(deps, { document: { store }, author: "command line", isDryRun: false, isNow: false });
}
