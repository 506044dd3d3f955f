import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportLedger } from "../../src/admin/ledger/export-ledger.ts";
import type { ReportsInput, ShownReport } from "../../src/admin/reports/schema.ts";
import { knownSilence, whileAnswering } from "../../src/file-calls.ts";
import { countReportedMonth } from "../../src/reports/count-reported-month.ts";
import { claimReport, clearReportPieces } from "../../src/reports/report-queries.ts";
import { runReports } from "../../src/reports/run-reports.ts";
import { aggregateLiabilityAll } from "../support/aggregate-liability-all.ts";
import { listWaiting } from "../support/behind.ts";
import { readMails, sendWaitingMails } from "../support/mails.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { makeFolder } from "../support/service-process.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "../support/smtp.ts";
import { type AdminClient, signIn, signInAs } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";
import { waitUntilSettled } from "../support/wait-until-settled.ts";

let smtp: SmtpServer;
let service: TestService;
let owner: AdminClient;
let folder: Awaited<ReturnType<typeof makeFolder>>;

beforeEach(async () => {
  smtp = await startSmtp();
  folder = await makeFolder();
  service = await startTestService({
    worker: false,
    log: () => {}, // a report that fails is logged
    now: "2026-03-10T03:00:00Z",
    config: { mail: smtpSettings(smtp), reportsDir: join(folder.path, "reports"), publicUrl: "https://points.example" },
    program: { store: { name: "Tea", currency: "JPY", time_zone: "Asia/Tokyo" } },
  });
  owner = await signIn(service, "owner");
  await service.client.put("/api/storefront/customers/7", { email: "hana@example.com", name: "山田 花子" });
  await give(500);
});
afterEach(async () => {
  await service?.stop();
  await smtp.close();
  await folder.remove();
});

const give = async (points: number) => {
  const answer = await service.client.post("/api/storefront/point_allotments", {
    customer_id: "7",
    point_value: points,
  });
  expect(answer.status, answer.text).toBe(200);
};
const input = (more: Partial<ReportsInput> = {}): ReportsInput => ({
  ...{ is_on: true, kinds: ["ledger", "customers"], frequency: "monthly", to_folder: false, language: "en" },
  addresses: ["Books@store.example"],
  ...more,
});
const run = () =>
  runReports(service.deps, { sources: { ledger: async (deps, period) => (await exportLedger(deps, period)).pieces } });
const shown = async (): Promise<ShownReport[]> => (await owner.get("/reports")).body.data.reports;
/** A day on, a session is over. */
async function goTo(time: string): Promise<void> {
  service.clock.set(time);
  owner = await signInAs(service.url, owner);
}

/** Does something while a call on a folder has not returned, as on a network share that is away. */
async function whileSilent(place: string, work: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await expect(whileAnswering(place, () => promise, { waitMs: 10 })).rejects.toThrow();
  await work();
  resolve();
  await expect.poll(() => knownSilence(place)).toBe(null);
}

describe("scheduled reports", () => {
  test("are off at first, an owner's alone, and each wrong field is named", async () => {
    const manager = await signIn(service, "manager");
    expect((await manager.get("/reports")).status).toBe(403);
    expect((await manager.put("/reports", input())).status).toBe(403);
    await goTo("2026-04-02T03:00:00Z");
    expect(await run()).toBe(0);
    expect(await shown()).toEqual([]);
    const pointer = async (more: Partial<ReportsInput>) =>
      (await owner.put("/reports", input(more))).body.errors[0].source.pointer;
    expect(await pointer({ addresses: ["nobody"] })).toBe("/addresses");
    expect(await pointer({ addresses: [..."abcdefghijk"].map((name) => `${name}@b.example`) })).toBe("/addresses");
    expect(await pointer({ kinds: [] })).toBe("/kinds");
    const bare = { ...service.deps.config, mail: null, reportsDir: undefined };
    await service.stop();
    service = await startTestService({ worker: false, config: bare });
    owner = await signIn(service, "owner");
    expect(await pointer({})).toBe("/addresses");
    expect(await pointer({ addresses: [], to_folder: true })).toBe("/to_folder");
  });

  test("are made once a period, of the store's days, mailed with the file and written into the folder", async () => {
    service.clock.set("2026-03-31T14:59:59Z"); // the last second of March in the store
    await give(40);
    service.clock.set("2026-03-31T15:00:00Z");
    await give(7);
    await goTo("2026-03-31T16:00:00Z");
    expect((await owner.put("/reports", input({ to_folder: true }))).status).toBe(200);
    await whileSilent(join(folder.path, "reports"), async () => {
      for (let n = 0; n < 5; n++) await expect(run()).rejects.toThrow("has not answered for 0.01 seconds");
      expect((await shown()).map(({ state, error }) => [state, error])).toEqual(Array(2).fill(["making", null]));
    });
    expect(await run()).toBe(2);
    expect(await run()).toBe(0);
    await sendWaitingMails(service.deps);
    const mails = readMails(smtp);
    expect(mails.map(({ to, subject }) => [to, subject]).sort()).toEqual([
      ["books@store.example", "Tea: Ledger, 1 – 31 Mar 2026"],
      ["books@store.example", "Tea: Statement by customer, 1 – 31 Mar 2026"],
    ]);
    expect(mails[0]?.raw).toMatch(/filename=.?(?:ledger|customers)-2026-03-01-2026-03-31\.csv/);
    const names = await readdir(join(folder.path, "reports"));
    expect(names.sort()).toEqual(["customers-2026-03-01-2026-03-31.csv", "ledger-2026-03-01-2026-03-31.csv"]);
    const ledger = await readFile(join(folder.path, "reports", names[1] ?? ""), "utf8");
    const lines = ledger.replace("\uFEFF", "").trim().split("\r\n");
    expect(lines[0]).toMatch(/^allotted_at,type,point_value/);
    expect(lines.slice(1).map((line) => line.split(",")[2])).toEqual(["40", "500"]);
    const customers = await readFile(join(folder.path, "reports", names[0] ?? ""), "utf8");
    expect(customers).toMatch(/\r\n7,hana@example.com,山田 花子,[^,]*,0,540,/);
    const [report] = await shown();
    expect(report).toMatchObject({ state: "ready", mails: 1, was_attached: true, first_on: "2026-03-01" });
    const file = await owner.get(`/reports/${report?.uid}/file.csv`);
    expect(Buffer.byteLength(file.text)).toBeGreaterThan(0);
    expect([ledger, customers]).toContain(file.text.startsWith("\uFEFF") ? file.text : `\uFEFF${file.text}`);
    await goTo("2026-05-01T03:00:00Z");
    expect(await run()).toBe(2);
    expect(await shown()).toHaveLength(4);
  });

  test("are weekly from Monday to Sunday, but the liability, which is by month", async () => {
    await owner.put("/reports", input({ kinds: ["ledger", "liability"], frequency: "weekly", addresses: [] }));
    await goTo("2026-04-05T15:59:59Z"); // Sunday, and the hour after it
    expect(await run()).toBe(1); // the month is not counted yet
    await aggregateLiabilityAll(service);
    service.clock.set("2026-04-05T15:59:59Z");
    expect(await run()).toBe(1);
    expect((await shown()).map(({ kind, first_on, last_on }) => [kind, first_on, last_on]).sort()).toEqual([
      ["ledger", "2026-03-23", "2026-03-29"],
      ["liability", "2026-03-01", "2026-03-31"],
    ]);
    service.clock.set("2026-04-05T16:00:00Z"); // Monday
    expect(await run()).toBe(1);
    service.clock.set("2026-04-04T15:00:00Z"); // a clock that goes back
    expect(await run()).toBe(0);
  });

  describe("of the liability, whose month is not counted", () => {
    const count = () => countReportedMonth(service.deps);
    beforeEach(() => owner.put("/reports", input({ kinds: ["liability"], addresses: [] })));

    test("are made after a pause of the worker, and nobody is notified", async () => {
      await goTo("2026-04-05T03:00:00Z");
      expect(await run()).toBe(0);
      expect(await count()).toBe(1);
      expect(await run()).toBe(1);
      expect(await count()).toBe(0);
    });

    test("wait for a day; then a job fails and names why counting does", async () => {
      await service.owner.execute(
        "alter table liability_book add constraint broken check (allotted_at is null) not valid",
      );
      await goTo("2026-04-01T14:00:00Z");
      await waitUntilSettled(service.deps);
      expect(await count()).toBe(0);
      service.clock.set("2026-04-01T16:00:00Z"); // an hour after the second day began
      await expect(count()).rejects.toThrow(/^The report of the liability of 2026-03 waits, .*constraint "broken"/);
      await service.owner.execute("alter table liability_book drop constraint broken");
      expect(await count()).toBe(1);
      expect(await run()).toBe(1);
    });

    test("do not fail by an error behind which counting advanced", async () => {
      await aggregateLiabilityAll(service);
      await service.owner.execute("update liability_book set unpriced_at = '-infinity'");
      await service.owner.execute(
        "alter table liability_book add constraint broken check (unpriced_at = '-infinity') not valid",
      );
      await give(5);
      await goTo("2026-04-03T03:00:00Z");
      await waitUntilSettled(service.deps);
      expect(await count()).toBe(0);
      await expect(count()).rejects.toThrow(/constraint "broken"/);
    });

    test("wait for the end of a transaction that writes, which is named", async () => {
      await aggregateLiabilityAll(service);
      await service.owner.tx(async (tx) => {
        await tx.execute("select pg_current_xact_id()");
        await goTo("2026-04-03T03:00:00Z");
        await expect(count()).rejects.toThrow(/a transaction .* has been open for long, .* after 2026-0/);
      });
      expect(await count()).toBe(1);
    });
  });

  test("of which an attempt was killed are made again from the start, and the killed one writes nothing more", async () => {
    await owner.put("/reports", input({ kinds: ["ledger"] }));
    await goTo("2026-04-02T03:00:00Z");
    const killing = runReports(service.deps, {
      sources: {
        ledger: async () =>
          (async function* () {
            yield "x".repeat(300_000);
            await run(); // another node takes it meanwhile
            yield "y".repeat(300_000);
          })(),
      },
    });
    await killing;
    const [report, ...more] = await shown();
    expect(more).toEqual([]);
    expect(report).toMatchObject({ state: "ready", mails: 1 });
    const { text } = await owner.get(`/reports/${report?.uid}/file.csv`);
    expect(text).toContain("allotted_at");
    expect(text).not.toContain("xxx");
    await sendWaitingMails(service.deps);
    expect(smtp.mails).toHaveLength(1);
    expect(await claimReport(service.deps.db, service.deps.random.uid())).toBeUndefined();
  });

  test("of which an attempt stood still while another began send nothing of it", async () => {
    await owner.put("/reports", input({ kinds: ["ledger"] }));
    await goTo("2026-04-02T03:00:00Z");
    const takeOver = async () => {
      const taken = await claimReport(service.deps.db, service.deps.random.uid());
      if (taken === undefined) throw new Error("the report is there to be made");
      await clearReportPieces(service.deps.db, taken);
    };
    let standing: Promise<number> | undefined;
    await service.owner.tx(async (tx) => {
      await tx.query("select from report_setting for update");
      standing = run();
      await waitUntil(async () => (await listWaiting(service.owner)).length > 0);
      await takeOver();
    });
    expect(await standing).toBe(0);
    await sendWaitingMails(service.deps);
    expect(smtp.mails).toHaveLength(0);
    expect(await run()).toBe(1);
    expect(await shown()).toMatchObject([{ state: "ready", mails: 1 }]);
  });

  test("go to nobody who was removed while they were made", async () => {
    await owner.put("/reports", input({ kinds: ["ledger"], addresses: ["left@store.example", "stays@store.example"] }));
    await goTo("2026-04-02T03:00:00Z");
    const removing = async () =>
      (async function* () {
        yield "x";
        expect(
          (await owner.put("/reports", input({ kinds: ["ledger"], addresses: ["stays@store.example"] }))).status,
        ).toBe(200);
      })();
    expect(await runReports(service.deps, { sources: { ledger: removing } })).toBe(1);
    await sendWaitingMails(service.deps);
    expect(readMails(smtp).map(({ to }) => to)).toEqual(["stays@store.example"]);
  });

  test("that are too large have a link, those that fail five times end, and none waits for another kind", async () => {
    await owner.put("/reports", input({ kinds: ["ledger"], language: "ja" }));
    await goTo("2026-04-02T03:00:00Z");
    const failing = () =>
      runReports(service.deps, { sources: { ledger: () => Promise.reject(new Error("the disk is full")) } });
    expect(await failing()).toBe(0);
    expect((await shown())[0]).toMatchObject({ state: "making", error: "the disk is full" });
    const large = async () =>
      (async function* () {
        for (let n = 0; n < 60; n++) yield "z".repeat(100_000);
      })();
    expect(await runReports(service.deps, { sources: { ledger: large } })).toBe(1);
    await sendWaitingMails(service.deps);
    const [mail] = readMails(smtp);
    expect(mail?.text).toContain("https://points.example/admin/reports");
    expect(mail?.raw).not.toContain("text/csv");
    expect((await shown())[0]).toMatchObject({ state: "ready", was_attached: false, error: null });
    await goTo("2026-05-02T03:00:00Z");
    for (let n = 0; n < 5; n++) await failing();
    expect((await shown())[0]).toMatchObject({ state: "failed", error: "the disk is full" });
    expect(await run()).toBe(0);
  });
});
