import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard();
  const viewer = await shop.as("viewer");
  await waitUntil(async () => {
    const { body } = await viewer.get("/jobs");
    return body.data.filter((job: { outcome: string }) => job.outcome === "done").length >= 6;
  });
});
afterAll(() => shop?.stop());

test("a manager runs a job now and sees the run in its history", async () => {
  const page = await shop.open({ role: "manager", language: "ja", path: "/jobs" });
  await page.getByRole("link", { name: "ポイントの失効" }).click();
  const runs = page.getByRole("dialog").getByRole("row", { name: /完了/ });
  await runs.first().waitFor();
  expect(await runs.count()).toBe(1);
  await page.getByRole("button", { name: "今すぐ実行" }).click();
  await runs.nth(1).waitFor();
  await shop.look(page, "jobs-run-ja");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await shop.look(page, "jobs-ja");
});

test("a failed run shows its error; a viewer cannot ask for another", async () => {
  await shop.service.deps.db.execute(
    "update job_run set outcome = 'failed', error = 'the disk is full' where job = 'prune exports'",
  );
  const page = await shop.open({ role: "viewer", path: "/jobs/prune%20exports", width: 360 });
  await page.getByRole("paragraph").getByText("the disk is full").waitFor();
  await page.getByRole("row", { name: /Failed.*the disk is full/ }).waitFor();
  expect(await page.getByRole("button", { name: "Run now" }).count()).toBe(0);
  await shop.look(page, "jobs-failed-narrow");
});
