import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DISK_LIMITS } from "../../../src/alerts/disk-room.ts";
import { readConfig } from "../../../src/config.ts";
import { createScrape } from "../../../src/prometheus/create-scrape.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder } from "../../support/service-process.ts";

const ROOT = join(import.meta.dirname, "../../..");
const GIBIBYTE = 2 ** 30;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: TestService;

beforeAll(async () => {
  folder = await makeFolder();
  service = await startTestService({ worker: false });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

test("the rules on disks have the limits of doctor, Home and the alerts", () => {
  const read = (name: string) => readFileSync(join(ROOT, "ops/prometheus", name), "utf8");
  const { low, full, fewFiles } = DISK_LIMITS;
  const below = (disk: string, { bytes, share }: { readonly bytes: number; readonly share: number }) =>
    `${disk}_free_bytes < clamp_max(${share} * ${disk}_size_bytes, ${bytes / GIBIBYTE} * 2 ^ 30)`;
  expect(read("alerts.yml")).toContain(below("pointkeeper_disk", low));
  expect(read("alerts.yml")).toContain(`expr: ${below("pointkeeper_disk", full)}\n`);
  expect(read("alerts.yml")).toContain(`expr: pointkeeper_disk_free_files < ${fewFiles}\n`);
  expect(read("backup-alerts.yml")).toContain(below("pointkeeper_backup_disk", full));
});

test("the metrics have the disk of the backups, and what the next one needs unless one is being made", async () => {
  const dir = join(folder.path, "backups");
  const shown = async (env: Record<string, string>) => {
    const { backup, objectStore } = readConfig(env);
    const { text } = await createScrape({
      ...service.deps,
      config: { ...service.deps.config, backup, objectStore, dataDir: folder.path },
    })();
    return Object.fromEntries(
      [...text.matchAll(/^pointkeeper_(backup_disk_\w+) (\S+)$/gm)].map(([, name = "", value]) => [
        name,
        Number(value),
      ]),
    );
  };
  const env = { POINTKEEPER_BACKUP_DIR: dir };
  expect(await shown({})).toEqual({});
  expect(await shown(env)).toEqual({ backup_disk_needed_bytes: 0 }); // not there yet
  await mkdir(dir);
  const free = expect.any(Number);
  const room = { backup_disk_free_bytes: free, backup_disk_size_bytes: free };
  expect(await shown(env)).toEqual({ ...room, backup_disk_needed_bytes: 0 });
  const insert = (ended: string) =>
    service.deps.db.execute(
      `insert into backup_run (uid, cause, kind, place, started_at, ended_at, byte_count)
       values ($1, 'schedule', 'logical', 'x', clock_timestamp(), ${ended}, 1234)`,
      [service.deps.random.uid()],
    );
  await insert("clock_timestamp()");
  expect(await shown(env)).toEqual({ ...room, backup_disk_needed_bytes: 1_234 });
  await insert("null");
  expect(await shown(env)).toEqual(room);
  const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "r" };
  expect(await shown({ ...keys, POINTKEEPER_BACKUP_DIR: "s3://bucket/backups" })).toEqual({});
  await rm(dir, { recursive: true });
});
