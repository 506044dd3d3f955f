import { setTimeout as delay } from "node:timers/promises";
import { isList } from "../../platforms/json-source.ts";
import type { WooRequest } from "../../platforms/woocommerce/rest/answer.ts";
import type { WooList } from "../../platforms/woocommerce/rest/lists.ts";
import type { PortDeps } from "../platform-port.ts";
import { callStore, type WooStore } from "./call-store.ts";

/** How long a list waits where the store has had enough requests. */
const PATIENCE_MS = 120_000;
/** A list that failed is fetched again so often, each time after a longer pause. */
const TRIES = 4;
const PAUSE_MS = 250;

/** Fetches one answer of a list. Throws where the store fails for longer or refuses. */
export async function fetchList(
  deps: PortDeps,
  store: WooStore,
  wooRequest: WooRequest,
  signal: AbortSignal,
): Promise<WooList> {
  for (let failures = 0; ; ) {
    const result = await callStore(deps, store, wooRequest, { patienceMs: PATIENCE_MS, signal });
    if (result.kind === "data" && isList(result.data)) return { resources: result.data, total: result.total };
    const why = result.kind === "data" ? "answered no list" : result.kind === "throttled" ? "throttles" : result.detail;
    failures += 1;
    if (failures >= TRIES || (result.kind === "refused" && (result.status !== null || result.code !== null)))
      throw new Error(`the store's ${wooRequest.path}: ${why}`);
    await delay(PAUSE_MS * 2 ** failures, undefined, { signal });
  }
}
