import { codeTitle } from "../../platforms/coupon-code.ts";
import type { WooRequest, WooResult } from "../../platforms/woocommerce/rest/answer.ts";
import {
  CODE_EXISTS,
  createCoupon,
  deleteCoupon,
  findCoupon,
  foreignWooFault,
  readWooCoupon,
  type WooCoupon,
} from "../../platforms/woocommerce/rest/coupon.ts";
import type { CodeResult, CouponPort, PlacedCode, PortDeps, RemovalResult } from "../platform-port.ts";
import { callStore, type WooStore } from "./call-store.ts";

const PATIENCE_MS = 5_000;
const RETRY_MS = 10_000;
/** Two requests that create a code at one moment may both succeed: WooCommerce looks for the code and stores it in two steps. */
const COPIES_MAX = 5;

/** Codes of coupons in a WooCommerce store. A coupon is known by its description, and its code is looked up without regard to case. */
export function couponCodes(deps: PortDeps, store: WooStore): CouponPort {
  const ask = (wooRequest: WooRequest) => callStore(deps, store, wooRequest, { patienceMs: PATIENCE_MS });
  const find = async (placed: PlacedCode) => ownCoupon(placed, await ask(findCoupon(placed.code)));
  return {
    foreignFault: foreignWooFault,
    find,
    create: async (input, isRetry) => {
      const foreign = foreignWooFault(input); // the customer's e-mail may be gone by now
      if (foreign !== null)
        return isRetry ? { kind: "unknown" } : { kind: "refused", faults: [foreign], waitMs: RETRY_MS };
      return created(input, isRetry, await ask(createCoupon(input)), find);
    },
    remove: (placed) => removeAll(placed, find, ask),
  };
}

/** The coupon's own among what was found; null: there is none. */
function ownCoupon({ couponUid }: PlacedCode, result: WooResult): WooCoupon | null | "unknown" {
  if (result.kind !== "data") return "unknown";
  const found = readWooCoupon(result.data);
  return found?.title === codeTitle(couponUid) ? found : null;
}

type Find = (placed: PlacedCode) => Promise<WooCoupon | null | "unknown">;

async function created(placed: PlacedCode, isRetry: boolean, result: WooResult, find: Find): Promise<CodeResult> {
  if (result.kind === "data") {
    const coupon = readWooCoupon(result.data);
    return coupon === null ? { kind: "unknown" } : { kind: "live", ref: coupon.ref };
  }
  if (result.kind === "unknown") return { kind: "unknown" };
  const isTaken = result.kind === "refused" && result.code === CODE_EXISTS;
  if (isTaken) {
    const found = await find(placed); // an earlier request created it, and its answer was lost
    if (found === "unknown") return { kind: "unknown" };
    if (found !== null) return { kind: "live", ref: found.ref };
  } else if (isRetry) return { kind: "unknown" };
  const isOfRequest = result.kind === "refused" && result.status === 400 && !isTaken;
  const faults = isOfRequest ? [{ detail: `the platform: ${result.detail}` }] : [];
  return { kind: "refused", faults, waitMs: result.kind === "throttled" ? result.waitMs : RETRY_MS };
}

/** Removes every copy of the coupon that was not used. What a deletion answers is the coupon as it was: a use may have come in between. */
async function removeAll(
  placed: PlacedCode,
  find: Find,
  ask: (wooRequest: WooRequest) => Promise<WooResult>,
): Promise<RemovalResult> {
  for (let copy = 0; copy < COPIES_MAX; copy++) {
    const found = await find(placed);
    if (found === "unknown") return "unknown";
    if (found === null) return "gone";
    if (found.isUsed) return "used";
    const result = await ask(deleteCoupon(found.ref));
    const isGone = result.kind === "refused" && result.status === 404;
    if (result.kind !== "data" && !isGone) return "unknown";
    if (result.kind === "data" && readWooCoupon(result.data)?.isUsed === true) return "used";
  }
  return "unknown";
}
