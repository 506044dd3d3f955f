import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CredentialRow } from "../../src/admin/credentials/schema.ts";
import { basic } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: TestService;
let owner: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  owner = await signIn(service, "owner");
});
afterAll(() => service.stop());

const listed = async (): Promise<CredentialRow[]> => (await owner.get("/credentials")).body.data;
const opens = async (credential: { key: string; secret: string }) =>
  (await service.client.as(basic(credential)).get("/api/storefront/tiers")).status;

describe("storefront keys", () => {
  test("are made, listed without their secret, and revoked; a manager may not", async () => {
    const made = await owner.post("/storefront/keys", { name: "webshop", can_redeem: false });
    expect(made.body.data).toEqual({ key_id: expect.stringMatching(/^sf_/), secret: expect.any(String) });
    const again = await owner.post("/storefront/keys", { name: "webshop", can_redeem: true });
    expect(again.body.errors[0].source.pointer).toBe("/name");
    expect((await owner.post("/storefront/origins", { origin: "https://shop.example.com" })).status).toBe(200);
    const wrong = await owner.post("/storefront/origins", { origin: "*" });
    expect(wrong.body.errors[0].source.pointer).toBe("/origin");
    const listedNow = await owner.get("/storefront");
    expect(listedNow.body.data).toMatchObject({
      keys: [{ name: "webshop", can_redeem: false, revoked_at: null }],
      origins: ["https://shop.example.com"],
    });
    expect(listedNow.text).not.toContain(made.body.data.secret);
    const manager = await signIn(service, "manager");
    expect((await manager.get("/storefront")).status).toBe(403);
    expect((await owner.delete(`/storefront/keys/${made.body.data.key_id}`)).status).toBe(200);
    expect((await owner.delete("/storefront/origins", { origin: "https://shop.example.com" })).status).toBe(200);
    const after = (await owner.get("/storefront")).body.data;
    expect(after).toMatchObject({ keys: [{ revoked_at: expect.any(String) }], origins: [] });
    const entries = (await owner.get("/audit?subject_kind=storefront_key")).body.data;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      "storefront_key.changed",
      "storefront_key.created",
    ]);
  });
});

describe("credentials", () => {
  test("are made with a secret that is shown once, open what their scopes say, and are revoked", async () => {
    const made = await owner.post("/credentials", { name: "till", scopes: ["read"] });
    expect(made.status).toBe(200);
    expect(await opens(made.body.data)).toBe(200);
    const till = (await listed()).find((one) => one.name === "till");
    expect(till).toMatchObject({ key: made.body.data.key, scopes: ["read"], is_store: false, revoked_at: null });
    expect(JSON.stringify(await listed())).not.toContain(made.body.data.secret);

    const again = await owner.post("/credentials", { name: "till", scopes: ["read"] });
    expect(again.body.errors[0].source.pointer).toBe("/name");
    const none = await owner.post("/credentials", { name: "none", scopes: [] });
    expect(none.body.errors[0].source.pointer).toBe("/scopes");

    expect((await owner.delete(`/credentials/${made.body.data.key}`)).status).toBe(200);
    await waitUntil(async () => (await opens(made.body.data)) === 401);
    expect((await listed()).at(-1)).toMatchObject({ name: "till", revoked_at: expect.any(String) });
    expect((await owner.delete(`/credentials/${service.credential.key}`)).status).toBe(422);
  });

  test("the store's own is narrowed and closed, goes on signing, and is opened again; others keep a scope", async () => {
    const other = await startTestService({ worker: false });
    try {
      const its = await signIn(other, "owner");
      const key = other.credential.key;
      const at = (path: string) => other.client.get(path);
      const change = (scopes: string[], of = key) => its.put(`/credentials/${of}/scopes`, { scopes });
      expect((await at("/api/storefront/webhooks")).status).toBe(200);
      expect((await change(["read"])).status).toBe(200);
      await waitUntil(async () => (await at("/api/storefront/webhooks")).status === 403);
      expect((await at("/api/storefront/tiers")).status).toBe(200);
      expect((await change([])).status).toBe(200);
      await waitUntil(async () => (await at("/api/storefront/tiers")).status === 403);
      const closed = await at("/api/storefront/tiers");
      expect(closed.body.errors[0].detail).toBe("the API use of this credential is closed");
      const row = async () => (await its.get("/credentials")).body.data.find((one: CredentialRow) => one.key === key);
      expect(await row()).toMatchObject({ scopes: [], is_store: true, revoked_at: null });
      const entries = (await its.get("/audit?subject_kind=credential")).body.data;
      expect(entries[0]).toMatchObject({
        action: "credential.changed",
        before: { scopes: ["read"] },
        after: { scopes: [] },
      });
      expect((await change(["read", "write"])).status).toBe(200);
      await waitUntil(async () => (await at("/api/storefront/tiers")).status === 200);

      const made = (await its.post("/credentials", { name: "app", scopes: ["read"] })).body.data;
      expect((await change(["read", "write"], made.key)).status).toBe(200);
      expect((await change([], made.key)).body.errors[0]).toMatchObject({
        detail: "expected at least one scope: revoke the credential instead",
        source: { pointer: "/scopes" },
      });
      expect((await change(["king"], made.key)).status).toBe(422);
      expect((await change(["read"], "pk_nobody")).status).toBe(404);
    } finally {
      await other.stop();
    }
  });

  test("only an owner changes what a credential may do", async () => {
    const manager = await signIn(service, "manager");
    expect((await manager.put(`/credentials/${service.credential.key}/scopes`, { scopes: [] })).status).toBe(403);
  });

  test("the store's secret is not rotated where the settings hold it", async () => {
    expect((await owner.get("/store-key")).body.data).toEqual({ next_since: null, is_fixed: true });
    expect((await owner.post("/store-key")).status).toBe(422);
  });

  test("the store's secret is rotated with an overlap", async () => {
    const other = await startTestService({ worker: false, config: { apiSecret: undefined } });
    try {
      const its = await signIn(other, "owner");
      const next = (await its.post("/store-key")).body.data.secret;
      expect((await its.get("/store-key")).body.data).toMatchObject({
        is_fixed: false,
        next_since: expect.any(String),
      });
      const client = other.client.as(basic({ key: other.credential.key, secret: next }));
      expect((await client.get("/api/storefront/tiers")).status).toBe(200);
      expect((await its.post("/store-key/confirm")).status).toBe(200);
      expect((await its.get("/store-key")).body.data.next_since).toBeNull();
      expect((await its.post("/store-key/confirm")).status).toBe(422);
      expect((await client.get("/api/storefront/tiers")).status).toBe(200);
      const entries = (await its.get("/audit?subject_kind=api_secret_key")).body.data;
      expect(entries.length).toBeGreaterThanOrEqual(2);
      expect(JSON.stringify(entries)).not.toContain(next);
    } finally {
      await other.stop();
    }
  });
});
