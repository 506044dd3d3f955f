import { beginDiscountCreation } from "../../src/platform-sync/begin-discount-creation.ts";
import { codeInput, type LeasedDiscountCreation } from "../../src/platform-sync/discount-creation.ts";
import { openPort } from "../../src/platform-sync/index.ts";
import type { CodeResult, PlatformPort } from "../../src/platform-sync/platform-port.ts";
import { resolveCoupons } from "../../src/platform-sync/resolve-coupons.ts";
import { readPlatformSettings } from "../../src/platforms/index.ts";
import type { ShopifySettings } from "../../src/platforms/shopify/settings.ts";
import { type OrderFlow, startOrderFlow } from "./order-flow.ts";
import type { TestServiceOptions } from "./service.ts";
import { type ShopifyAdminServer, startShopifyAdminServer } from "./shopify-admin-server.ts";

/** A service whose store has a token of the platform, and the platform. */
export interface PlatformFlow extends OrderFlow {
  readonly platform: ShopifyAdminServer;
  /** Creates a customer whom the platform knows, with 1,000 points; returns the storefront id. */
  shopper(): Promise<string>;
  /** Begins a coupon whose code is being created at the platform: its points are held until it is settled. */
  begin(points: bigint, customerId: string): Promise<LeasedDiscountCreation>;
  readonly port: PlatformPort;
  /** Whether requests are given up soon, for a platform that hangs; else they have the time of a busy machine. */
  giveUpSoon(isSoon: boolean): void;
  /** Requests the code of a pending coupon from the platform. */
  create(creation: LeasedDiscountCreation): Promise<CodeResult>;
  /** Settles what is left when every lease has expired, as after a crash. */
  settle(): Promise<number>;
  /** Lets every lease expire. */
  lapse(): Promise<void>;
  /** The held points of a customer. */
  held(customerId: string): Promise<bigint>;
  /** The number of pending codes: none when everything is settled. */
  pending(): Promise<number>;
}

const HELD = `select held_points as held
from balance b
join customer_alias a on a.bucket = b.bucket and a.customer_uid = b.customer_uid
where a.storefront_id = $1`;

const PENDING = `select (select count(*) from coupon_creation) + (select count(*) from coupon_removal) as n`;

/** The settings of a store without a platform. */
export const NO_PLATFORM: ShopifySettings = { shop: undefined, secrets: [], admin: undefined };

/** Of a busy machine. */
const TIMEOUT_MS = 20_000;
const SOON_MS = 2_500;

/** Starts both, without background work. */
export async function startPlatformFlow(options: TestServiceOptions = {}): Promise<PlatformFlow> {
  const platform = await startShopifyAdminServer();
  const admin = { url: platform.url, token: platform.token, timeoutMs: TIMEOUT_MS };
  const flow = await startOrderFlow({
    log: () => {},
    ...options,
    config: { platforms: { ...readPlatformSettings({}), shopify: { ...NO_PLATFORM, admin } }, ...options.config },
  });
  const { deps } = flow;
  const port = openPort(deps, "shopify");
  if (port === undefined) throw new Error("no token");
  let count = 0;
  const lapse = async () => {
    for (const table of ["coupon_creation", "coupon_removal"]) {
      await deps.db.execute(`update ${table} set lease_until = '-infinity'`);
    }
  };
  return {
    ...flow,
    platform,
    lapse,
    port,
    giveUpSoon(isSoon) {
      admin.timeoutMs = isSoon ? SOON_MS : TIMEOUT_MS;
    },
    create: (creation) => port.coupons.create(codeInput(creation, null), creation.attempts > 0),
    async shopper() {
      const id = `77${++count}`;
      await flow.customer(id);
      await flow.give(id, 1_000);
      return id;
    },
    begin: (pointValue, customer) =>
      deps.db.tx(async (tx) => {
        const coupon = { customer, pointValue, productIds: null, appReference: "test" };
        const begun = await beginDiscountCreation(tx, deps, port.coupons, { coupon, claim: null });
        if (typeof begun === "string") throw new Error(begun);
        return begun;
      }),
    async settle() {
      await lapse();
      return resolveCoupons(deps);
    },
    async held(customerId) {
      return (await deps.db.query<{ held: bigint }>(HELD, [customerId]))[0]?.held ?? 0n;
    },
    async pending() {
      return Number((await deps.db.query<{ n: bigint }>(PENDING))[0]?.n);
    },
    async stop() {
      await flow.stop();
      await platform.close();
    },
  };
}
