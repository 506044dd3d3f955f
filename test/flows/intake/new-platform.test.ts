import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { releaseCoupon } from "../../../src/coupons/release-coupon.ts";
import { ConfigError, listSetting, textSetting } from "../../../src/environment.ts";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { JOBS } from "../../../src/jobs/schedule.ts";
import { PLATFORMS } from "../../../src/platforms/index.ts";
import type { PlatformAdapter, PlatformSettings } from "../../../src/platforms/platform.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const SECRET = "the secret of acme";

interface AcmeSettings extends PlatformSettings {
  /** With it coupon codes are removed there; undefined: it is never called. */
  readonly token?: string | undefined;
}

/** A platform whose bodies are `{"id": "<customer>", "name": "<name>"}`. It has settings of its own. */
const acme: PlatformAdapter<AcmeSettings> = {
  platform: "acme",
  readSettings(env) {
    const shop = textSetting(env, "ACME_SHOP");
    const secrets = listSetting(env, "ACME_SECRETS");
    if (shop === undefined && secrets.length > 0) throw new ConfigError("ACME_SHOP must be set when ACME_SECRETS is.");
    return { shop, secrets, token: textSetting(env, "ACME_TOKEN") };
  },
  capabilities: ({ token }) => (token === undefined ? [] : ["coupon-codes", "reconcile"]),
  describe: (headers, rawBody) => ({
    topic: "customer",
    shop: headers.get("acme-shop") ?? null,
    apiVersion: null,
    deliveryKey: createHash("sha256").update(rawBody).digest("hex"),
  }),
  verify(headers, rawBody, secrets) {
    const given = headers.get("acme-signature");
    if (given === undefined) return "missing_header";
    return secrets.some((secret) => signatureOf(rawBody, secret) === given) ? "ok" : "bad_signature";
  },
  translate({ rawBody, receivedAt }) {
    const { id, name } = JSON.parse(Buffer.from(rawBody).toString());
    const head = { platform: "acme", subject: `customer/${id}`, factKey: `customer/${id}`, sourceTopic: "customer" };
    const payload = { customerId: id, name };
    const event = {
      ...head,
      type: "CustomerUpserted",
      occurredAt: receivedAt,
      receivedAt,
      test: false,
      payload,
    } as const;
    return { ok: true, events: [event] };
  },
  topicOf: () => null,
  headersFor: () => ({}),
};

function signatureOf(body: string | Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

const BODY = JSON.stringify({ id: "A-1", name: "Hana Sato" });

let service: TestService;

beforeAll(async () => {
  (PLATFORMS as PlatformAdapter[]).push(acme); // cast: this is the one line that a platform has in the list
  const { platforms } = readConfig({ ACME_SHOP: "tea", ACME_SECRETS: `an older secret, ${SECRET}` });
  service = await startTestService({ worker: false, config: { platforms } });
});
afterAll(async () => {
  await service.stop();
  (PLATFORMS as PlatformAdapter[]).splice(PLATFORMS.indexOf(acme), 1); // cast: other files of this process have the usual list
});

function deliver(words: { readonly secret?: string; readonly shop?: string } = {}) {
  const headers = { "acme-shop": words.shop ?? "tea", "acme-signature": signatureOf(BODY, words.secret ?? SECRET) };
  return service.client.as(null).request("POST", "/intake/acme/webhooks", { body: BODY, headers });
}

describe("a platform that is a folder and its line in the list", () => {
  test("is refused what another secret signs, and what is of another shop", async () => {
    expect((await deliver({ secret: "the secret of somebody else" })).status).toBe(401);
    expect((await deliver({ shop: "coffee" })).status).toBe(401);
    expect(await service.deps.db.query("select from receipt")).toHaveLength(0);
  });

  test("delivers what its own secret signs, and it is processed", async () => {
    expect((await deliver()).status).toBe(200);
    expect((await deliver({ secret: "an older secret" })).status).toBe(200);
    await processAllReceipts(service.deps);
    const customer = await service.client.get("/api/storefront/customers/A-1");
    expect(customer.body.data).toMatchObject({ id: "A-1", name: "Hana Sato" });
  });

  test("is called where its own settings allow it, and nowhere else", async () => {
    const { deps } = service;
    const { platforms } = readConfig({ ACME_TOKEN: "a token" });
    const withToken = { ...deps, config: { ...deps.config, platforms } };
    const { timing } = JOBS.find(({ name }) => name === "reconcile with the platform") ?? {};
    if (timing?.by !== "store") throw new Error("no such job of the store's time");
    expect(await timing.nextAt(deps, null)).toBeNull();
    expect(await timing.nextAt(withToken, null)).not.toBeNull();

    await service.client.post("/api/storefront/point_allotments", { customer_id: "A-1", point_value: 100 });
    const issued = await service.client.post("/api/storefront/coupons", { customer_id: "A-1", point_value: 100 });
    const { code } = issued.body.data;
    await deps.db.execute("update coupon set discount_ref = 'acme/1' where code = $1", [code]);
    expect(await deps.db.tx((tx) => releaseCoupon(tx, deps, code))).toBe("ends_later");
    expect(await deps.db.tx((tx) => releaseCoupon(tx, withToken, code))).toBe("released");
  });

  test("says what is wrong with its settings before the service starts", () => {
    expect(() => readConfig({ ACME_SECRETS: SECRET })).toThrow(
      new ConfigError("ACME_SHOP must be set when ACME_SECRETS is."),
    );
  });
});
