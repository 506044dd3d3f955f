import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { makeFolder } from "../support/service-process.ts";
import { mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let folder: Awaited<ReturnType<typeof makeFolder>>;
let disk: SmallDisk;
let shop: Dashboard;

beforeAll(async () => {
  folder = await makeFolder();
  disk = await mountSmallDisk(join(folder.path, "disk"), "size=760m");
  await writeFile(join(disk.path, "taken"), Buffer.alloc(640 * 2 ** 20));
  shop = await startDashboard({ worker: false, config: { dataDir: disk.path } });
});
afterAll(async () => {
  await shop?.stop();
  disk?.unmount();
  await folder?.remove();
});

test("Home says how much room is left on the disk of the database, in both languages", async () => {
  const page = await shop.open({ path: "/", role: "owner" });
  await page.getByText(/The disk of the database has little room: 1[12]\d MiB free\. What to do/).waitFor();
  await shop.look(page, "disk-low");
  await disk.remount("size=700m");
  const other = await shop.open({ path: "/", role: "owner", language: "ja" });
  await other.getByText(/データベースのディスクの空き容量がほとんどありません（空き[56]\d MiB）/).waitFor();
  await shop.look(other, "disk-full-ja");
});
