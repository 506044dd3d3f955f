import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CAMPAIGN_PROGRAM, tellCampaign } from "../support/campaign-story.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:00:00Z", program: CAMPAIGN_PROGRAM });
  viewer = await signIn(service, "viewer");
  await tellCampaign(service);
});
afterAll(() => service.stop());

describe("growth", () => {
  test("members are set against guests by the store's months, the newest first", async () => {
    const { status, body } = await viewer.get("/growth/members-and-guests");
    expect(status).toBe(200);
    expect(body.data).toHaveLength(12);
    const nothing = { orders: 0, revenue_minor: 0 };
    expect(body.data[0]).toEqual({ from: "2026-03-01", to: "2026-03-31", members: nothing, guests: nothing });
    expect(body.data[1]).toEqual({
      from: "2026-02-01",
      to: "2026-02-28",
      members: { orders: 5, revenue_minor: 11_000 },
      guests: { orders: 1, revenue_minor: 3_000 },
    });
    expect(body.data[11].from).toBe("2025-04-01");
  });
});
