import { afterAll, beforeAll, expect, test } from "vitest";
import { upload } from "../support/csv.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let manager: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
  const files = ["ポイント_３月.csv", "Birthday gifts.csv", "100%_of_them.csv"];
  for (const [n, name] of files.entries()) {
    expect((await upload({ ...manager, url: service.url }, `customer_id,points\n1,${n + 1}\n`, { name })).status).toBe(
      201,
    );
  }
});
afterAll(() => service?.stop());

const namesFor = async (q: string) => {
  const { body } = await manager.get(`/imports?q=${encodeURIComponent(q)}`);
  return body.data.map(({ file_name }: { file_name: string }) => file_name);
};

test.each([
  ["gifts", ["Birthday gifts.csv"]],
  ["GIFTS", ["Birthday gifts.csv"]],
  ["ぽいんと", ["ポイント_３月.csv"]],
  ["3月", ["ポイント_３月.csv"]],
  ["100%_", ["100%_of_them.csv"]],
  ["Manager", ["100%_of_them.csv", "Birthday gifts.csv", "ポイント_３月.csv"]],
  ["nothing like it", []],
  [" ", ["100%_of_them.csv", "Birthday gifts.csv", "ポイント_３月.csv"]],
])("imports are found by a part of the file's name or of the person's: %s", async (q, names) => {
  expect(await namesFor(q)).toEqual(names);
});
