import { afterAll, beforeAll, expect, test } from "vitest";
import { settingsOf, upload } from "../support/csv.ts";
import { balancePath } from "../support/move-store.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

// Another app's file that a spreadsheet saved again with days in the form of its country.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

const FILE = ["email;points_approved;points_expire_at;birthday", "a@days.example;10;31.12.2027;24.10.1990", ""].join(
  "\r\n",
);

async function until(uid: string, state: string) {
  await waitUntil(async () => (await manager.get(`/imports/${uid}`)).body.data.state === state);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

test("its faults say which form it seems to have; with that form chosen it is read, and imported so", async () => {
  const sent = await upload({ url: service.url, cookie: manager.cookie }, FILE, { kind: "move", name: "members.csv" });
  expect(sent.status, sent.text).toBe(201);
  const { uid } = sent.body.data;
  const check = async (data: Record<string, unknown>, chosen: object) => {
    const options = { ...Object(data["options"]), vendor: "loyaltylion", ...chosen };
    const begun = await manager.post(`/imports/${uid}/check`, settingsOf(data, { options }));
    expect(begun.status, begun.text).toBe(200);
    return until(uid, "checked");
  };
  const first = await check(sent.body.data, {});
  expect([first.check.fault_count, first.options.move_days]).toEqual([1, null]);
  for (const [language, words] of [
    ["en", "--days day_first"],
    ["ja", "「日付の書き方」"],
  ] as const) {
    const { body } = await manager.get(`/imports/${uid}/faults?phase=check&language=${language}`);
    expect(body.data.map(({ code }: { code: string }) => code).toSorted()).toEqual([
      "birthday_unclear",
      "expiry_unclear",
    ]);
    for (const { detail } of body.data) expect(detail).toContain(words);
  }
  const file = await manager.get(`/imports/${uid}/faults.csv?phase=check&language=en`);
  expect(file.text).toContain("seems to write days as 31/03/2027");

  const second = await check(first, { move_days: "day_first" });
  expect([second.check.fault_count, second.options.move_days]).toEqual([0, "day_first"]);
  const started = await manager.post(`/imports/${uid}/start`, {});
  expect(started.status, started.text).toBe(200);
  await until(uid, "imported");
  const { body } = await service.client.get(balancePath("a@days.example"));
  expect(body.data).toMatchObject({ point_balance: 10, expires_at: "2027-12-31T15:00:00.000000Z" });
});
