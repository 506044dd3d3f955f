import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:00:00Z" });
});
afterAll(() => service.stop());

const PATH = "/api/storefront/point_balances/export";
const FEBRUARY = { start_datetime: "2026-02-01", end_datetime: "2026-02-28" };

describe("interface 4.8: request of an export", () => {
  test.each<[unknown, string]>([
    [{ end_datetime: "2026-02-28" }, "/start_datetime"],
    [{ start_datetime: "2026-02-28" }, "/end_datetime"],
    [{ start_datetime: 5, end_datetime: "2026-02-28" }, "/start_datetime"],
    [{ start_datetime: "yesterday", end_datetime: "2026-02-28" }, "/start_datetime"],
    [{ start_datetime: "2026-02-01", end_datetime: "2026-02-30" }, "/end_datetime"],
    [{ start_datetime: "2026-02-02", end_datetime: "2026-02-01" }, "/start_datetime"],
    [{ start_datetime: "2026-02-01T00:00:00Z", end_datetime: "2026-02-01T09:00:00+09:00" }, "/start_datetime"],
  ])("refuses %j with 422, which costs no turn", async (body, pointer) => {
    const answer = await service.client.post(PATH, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toBe(pointer);
  });

  test("is acknowledged with 202; of 50 at once one is taken, the others wait 8 hours", async () => {
    const paths = [PATH, PATH.replace("balances", "balance")];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => service.client.post(paths[n % 2] ?? PATH, FEBRUARY)),
    );
    const taken = answers.filter(({ status }) => status === 202);
    expect(taken).toHaveLength(1);
    expect(taken[0]?.body).toEqual({
      data: {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: "processing",
        start_datetime: "2026-01-31T15:00:00.000000Z",
        end_datetime: "2026-02-28T15:00:00.000000Z",
        requested_at: "2026-03-01T00:00:00.000000Z",
      },
    });
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(49);
    expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["28800"]));
    expect(refused[0]?.body.errors[0]).toMatchObject({
      status: "429",
      title: "Too many requests",
      code: "too_many_requests",
    });
  });

  test("is taken again when the 8 hours are over, and its answer is replayed for its key", async () => {
    service.clock.set("2026-03-01T07:59:59.5Z");
    const early = await service.client.post(PATH, FEBRUARY, { "idempotency-key": "export" });
    expect([early.status, early.headers.get("retry-after")]).toEqual([429, "1"]);
    service.clock.set("2026-03-01T08:00:00Z");
    const taken = await service.client.post(PATH, FEBRUARY, { "idempotency-key": "export" });
    expect(taken.status).toBe(202);
    const again = await service.client.post(PATH, FEBRUARY, { "idempotency-key": "export" });
    expect([again.status, again.text]).toEqual([202, taken.text]);
  });

  test("can be read", async () => {
    service.clock.advance({ hours: 8 });
    const { uid } = (await service.client.post(PATH, FEBRUARY)).body.data;
    const answer = await service.client.get(`${PATH}/${uid}`);
    expect(answer.body.data).toMatchObject({ uid, status: "processing", finished_at: null, url: null });
    for (const unknown of ["none", "019ca8e7-7d10-7e5c-a3f4-0b9c6d2e8f51"]) {
      const missing = await service.client.get(`${PATH}/${unknown}`);
      expect([missing.status, missing.body.errors[0].title]).toEqual([404, "Export was not found"]);
    }
  });

  test("holds over a restart: another node on the same database knows the last request", async () => {
    const other = await startTestService({
      worker: false,
      now: service.clock.now().add({ hours: 7 }).toString(),
      database: { ...service.database, drop: async () => {} },
    });
    const answer = await other.client.post(PATH, FEBRUARY);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "3600"]);
    await other.stop();
  });
});
