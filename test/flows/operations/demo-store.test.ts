import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolder, spawnScript, spawnService } from "../../support/service-process.ts";
import { cookieOf } from "../../support/staff.ts";

const RUN_MS = 300_000;

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

test(
  "the store to look at: its figures are there when the service starts, and its owner can sign in",
  async () => {
    const dataDir = join(folder.path, "kept");
    const args = ["--keep", "--data", dataDir, "--customers", "40", "--days", "15", "--orders", "1"]; // each order of a locked customer is sent 21 times
    const { code, stdout, stderr } = await spawnScript("demo/main.ts", args, { TMPDIR: folder.path }).ended;
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining(dataDir), expect.stringMatching(/^store: \d+/)]);
    const [, email = "", password = ""] = /as (\S+) with the password (\S+)/.exec(stdout) ?? [];
    const service = await spawnService({ POINTKEEPER_DATA_DIR: dataDir });
    const cookie = await cookieOf(service.url, { email, password });
    const answer = await fetch(`${service.url}/admin/api/home`, { headers: { cookie } });
    const { data } = JSON.parse(await answer.text());
    expect(data.customers.count).toBeGreaterThan(30);
    expect(data.totals.issued).toBeGreaterThan(1_000);
    expect(data.outstanding.points).toBeGreaterThan(1_000);
    expect(data.active.days_30).toBeGreaterThan(5);
    expect(data.health.deliveries_failed).toBeGreaterThan(0);
    expect((await service.stop()).code).toBe(0);
  },
  RUN_MS,
);
