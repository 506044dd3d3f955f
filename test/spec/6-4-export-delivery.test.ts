import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReceiver, type TestReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: TestService;
let receiver: TestReceiver;
beforeAll(async () => {
  service = await startTestService({ config: { publicUrl: "https://points.test" } });
  receiver = await startReceiver();
  await service.client.put("/api/storefront/customers/c1", { name: "Hanako" });
  await service.client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: 7 });
  const subscription = { topic: "point_balances/export", callback_url: receiver.url };
  expect((await service.client.post("/api/storefront/webhooks", subscription)).status).toBe(200);
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

/** Fetches a signed address of the public host from the service itself, without a credential. */
const fetchFile = (url: string) => service.client.as(null).get(url.replace("https://points.test", ""));

describe("interface 6.4: delivery of an export", () => {
  let url = "";

  test("carries the file's address alone", async () => {
    const period = { start_datetime: "2026-03-01", end_datetime: "2026-03-01" };
    const { uid } = (await service.client.post("/api/storefront/point_balances/export", period)).body.data;
    await waitUntil(() => receiver.arrivals.length > 0);
    const [arrival] = receiver.arrivals;
    const body = JSON.parse(arrival?.body ?? "");
    expect(Object.keys(body)).toEqual(["url"]);
    expect(body.url).toContain(`https://points.test/exports/${uid}.csv?`);
    expect(arrival?.headers["authorization"]).toMatch(/^Bearer /);
    url = body.url;
  });

  test("which opens the file without a credential, for one hour", async () => {
    const file = await fetchFile(url);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="points-2026-03-01-2026-03-01.csv"');
    expect(file.text).toBe(
      "storefront_id,email,name,tier,opening_balance,points_earned,points_adjusted,points_spent,points_returned," +
        "points_refunded,points_expired,closing_balance,current_balance,expires_at\r\n" +
        "c1,,Hanako,Bronze,0,7,0,0,0,0,0,7,7,2027-03-01T15:00:00.000000Z\r\n",
    );
    service.clock.advance({ minutes: 59, seconds: 59 });
    expect((await fetchFile(url)).status).toBe(200);
    service.clock.advance({ seconds: 1 });
    expect((await fetchFile(url)).status).toBe(410);
  });

  test("and is signed anew when the export is read", async () => {
    const uid = /exports\/([^.]*)/.exec(url)?.[1];
    const { data } = (await service.client.get(`/api/storefront/point_balances/export/${uid}`)).body;
    expect(data).toMatchObject({ status: "ready", row_count: 1 });
    const file = await fetchFile(data.url);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-length")).toBe(String(data.byte_count));
  });

  test("opens nothing when anything of it was changed", async () => {
    for (const bad of [
      url.replace(/expires=\d/, "expires=9"),
      url.replace(/signature=../, "signature=AA"),
      url.replace(/[?].*/, ""),
      url.replace(/exports\/......../, "exports/00000000"),
    ]) {
      expect((await fetchFile(bad)).status).toBe(403);
    }
  });
});
