import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let manager: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

const read = async () => (await manager.get("/program")).body.data;

describe("the tiers' customers", () => {
  test("are counted for 3 seconds at most", async () => {
    const status = await service.deps.db.tx(async (tx) => {
      await tx.execute("lock table customer in access exclusive mode");
      return (await manager.get("/program/tier-members")).status;
    });
    expect(status).toBe(503);
    expect((await manager.get("/program/tier-members")).status).toBe(200);
  });
});

describe("the approval limit", () => {
  test("is an owner's to change, whatever the way: a part, an old version, a file", async () => {
    const owner = await signIn(service, "owner");
    const change = async (by: AdminClient, document: object) =>
      by.post("/program", { document, base_version: (await read()).version });
    const wrong = await change(owner, { staff: { approval_limit: -1, daily_limit: 0.5 } });
    const pointers = wrong.body.errors.map(({ source }: { source: object }) => source);
    expect(pointers).toEqual([{ pointer: "/staff/approval_limit" }, { pointer: "/staff/daily_limit" }]);
    const { version } = await read();
    const old = (await read()).document;
    const refused = await change(manager, { staff: { approval_limit: 5 }, rewards: { signup: 3 } });
    expect(refused.status).toBe(403);
    expect(refused.body.errors[0].source).toEqual({ pointer: "/staff/approval_limit" });
    const document = { staff: { approval_limit: 5 }, rewards: { signup: 3 } };
    const preview = (by: AdminClient) => by.post("/program/preview", { document, base_version: version });
    const looked = await preview(manager);
    expect([looked.status, looked.body]).toEqual([refused.status, refused.body]);
    expect((await preview(owner)).status).toBe(200);
    expect((await read()).version).toBe(version);
    expect((await change(owner, { staff: { approval_limit: 5_000 } })).status).toBe(200);
    expect((await change(manager, old)).status).toBe(403);
    expect((await change(manager, { staff: { approval_limit: 5_000 }, coupons: { grace_hours: 3 } })).status).toBe(200);
    expect((await read()).document).toMatchObject({ staff: { approval_limit: 5_000 }, coupons: { grace_hours: 3 } });
    const removed = await change(owner, old);
    expect([removed.status, removed.body.data.state]).toEqual([200, "waiting"]);
    expect((await read()).document.staff.approval_limit).toBe(5_000);
  });
});
