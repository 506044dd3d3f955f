import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import type { ConnectionPort } from "./platform-port.ts";

/** How long the platform's answer is used, by the machine's clock; where it gave none, it is asked again sooner. */
const KNOWN_MS = 3_600_000;
const UNKNOWN_MS = 60_000;
/** A platform that does not say its currency within this time holds no coupon up. */
const PATIENCE_MS = 3_000;
const RETRY_S = 60;

/**
 * Returns a check that the platform's store has the program's currency. The amount of a code has no currency of its own: with another one
 * a coupon of 500 yen would be a discount of 500 dollars. Throws `unavailable` with both currencies where they differ. A platform that does
 * not say its currency passes.
 */
export function createCurrencyCheck(
  deps: Pick<Deps, "db" | "log">,
  { storeSettings }: Pick<ConnectionPort, "storeSettings">,
): () => Promise<void> {
  let known: { readonly currency: string | null; readonly untilMs: number } = { currency: null, untilMs: 0 };
  const ask = async (): Promise<string | null> => {
    const asked = storeSettings().then(({ currency }) => currency);
    return Promise.race([asked, delay(PATIENCE_MS, null, { ref: false })]).catch((error: unknown) => {
      deps.log.warn({ error }, "the platform did not say its currency");
      return null;
    });
  };
  return async () => {
    const { store } = await readProgram(deps.db);
    if (performance.now() > known.untilMs || (known.currency !== null && known.currency !== store.currency)) {
      const currency = await ask();
      known = { currency, untilMs: performance.now() + (currency === null ? UNKNOWN_MS : KNOWN_MS) };
    }
    if (known.currency === null || known.currency === store.currency) return;
    const detail = `the platform's store has the currency ${known.currency} and the program ${store.currency}: expected one for both`;
    throw new Problem("unavailable", { retryAfterS: RETRY_S, faults: [{ detail }] });
  };
}
