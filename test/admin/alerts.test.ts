import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AlertsInput, ShownAlerts } from "../../src/admin/alerts/schema.ts";
import { resealAlertWebhook } from "../../src/alerts/reseal-alert-webhook.ts";
import { resetAlertWebhook } from "../../src/alerts/reset-alert-webhook.ts";
import { watchAlerts } from "../../src/alerts/watch-alerts.ts";
import { createSecretBox } from "../../src/credentials/secret-box.ts";
import { openMailTransport } from "../../src/mail/open-mail-transport.ts";
import { sendNextMail } from "../../src/mail/send-next-mail.ts";
import { ALERT_KINDS } from "../../src/wire/alerts.ts";
import { makeCustomer } from "../support/customers.ts";
import { startReceiver, type TestReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "../support/smtp.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let smtp: SmtpServer;
let receiver: TestReceiver;
let service: TestService;
let owner: AdminClient;

beforeEach(async () => {
  [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()]);
  const program = { staff: { approval_limit: 5_000, daily_limit: 10_000 } };
  service = await startTestService({ worker: false, config: { mail: smtpSettings(smtp) }, program });
  owner = await signIn(service, "owner");
});
afterEach(async () => {
  await service?.stop();
  await Promise.all([smtp.close(), receiver.close()]);
});

const hook = () => `${receiver.url}/services/secret-path`;
const input = (more: Partial<AlertsInput> = {}): AlertsInput => ({
  is_on: true,
  kinds: [...ALERT_KINDS],
  addresses: ["ops@store.example"],
  language: "en",
  grant_percent: 50,
  ...more,
});
const set = (more: Partial<AlertsInput> = {}) => owner.put("/alerts", input(more));
const shown = async (): Promise<ShownAlerts> => (await owner.get("/alerts")).body.data;
const breach = (text: string | null) =>
  service.deps.db.execute("update self_check set breaches = $1::text::jsonb", [
    JSON.stringify(text === null ? [] : [text]),
  ]);
const tenMinutesPass = () =>
  service.deps.db.execute("update alert_standing set mailed_at = mailed_at - interval '10 minutes'");

/** One run of the job, and the mails that it queued. */
async function watch(): Promise<void> {
  await watchAlerts(service.deps);
  const transport = await openMailTransport(service.deps);
  const { signal } = new AbortController();
  for (let turn = "done"; turn === "done"; ) turn = await sendNextMail(service.deps, { transport, signal });
  transport.close();
}
/** What was mailed so far: the plain text of each, decoded. */
const mailed = () => smtp.mails.map(({ raw }) => raw.replaceAll("=\r\n", ""));
const posted = () => receiver.arrivals.map(({ body }) => (JSON.parse(body) as { text: string }).text); // cast: what is sent

describe("alerts", () => {
  test("are off at first, and nobody is notified", async () => {
    expect(await shown()).toMatchObject({ is_on: false, kinds: ALERT_KINDS, addresses: [], webhook_host: null });
    await breach("a row was changed");
    await watch();
    expect((await shown()).alerts).toEqual([]);
    expect(smtp.mails).toEqual([]);
  });

  test("say once that something began and once that it is over, by mail and webhook", async () => {
    expect((await set({ webhook_url: hook() })).status).toBe(200);
    await watch();
    expect([smtp.mails.length, receiver.arrivals.length]).toEqual([0, 0]);
    await breach("a row was changed");
    for (let n = 0; n < 3; n++) await watch();
    expect(mailed()).toHaveLength(1);
    expect(mailed()[0]).toMatch(/Subject: [\w.:-]+ 1 need attention/);
    expect(mailed()[0]).toContain("Began (");
    expect(mailed()[0]).toContain("breaches found by the self-check: 1");
    expect(posted()).toEqual([expect.stringContaining("breaches found by the self-check: 1")]);
    expect((await shown()).alerts).toMatchObject([
      { kind: "ledger_breach", ended_at: null, is_mailed: true, is_posted: true },
    ]);
    await breach(null);
    await watch();
    expect(posted()[1]).toContain("Over (");
    expect(mailed()).toHaveLength(1);
    await tenMinutesPass();
    for (let n = 0; n < 3; n++) await watch();
    expect(mailed()).toHaveLength(2);
    expect(mailed()[1]).toContain("Over (");
    expect((await shown()).alerts).toMatchObject([{ ended_at: expect.any(String), is_mailed: true, is_posted: true }]);
    expect([smtp.mails.length, receiver.arrivals.length]).toEqual([2, 2]);
  });

  test("come as one summary in ten minutes, with what began and ended meanwhile", async () => {
    await set();
    await breach("a row was changed");
    await watch();
    await breach(null);
    await watch();
    await service.deps.db.execute(
      "insert into job_plan (name, position, timing) values ('expire points', 1, 'machine')",
    );
    await service.deps.db.execute("insert into job (name, failures_in_row) values ('expire points', 1)");
    await watch();
    expect(mailed()).toHaveLength(1);
    await service.deps.db.execute("update job set failures_in_row = 0, ready_at = 'infinity'");
    await watch();
    await tenMinutesPass();
    await watch();
    expect(mailed()).toHaveLength(2);
    expect(mailed()[1]).toMatch(/Subject: [\w.:-]+ 2 over/);
    expect(mailed()[1]).toContain("Began and is over (");
    expect(mailed()[1]).toContain('The job "Expire points" is late or failed');
    // a clock that was ahead, and is not any more
    await service.deps.db.execute("update alert_standing set mailed_at = clock_timestamp() + interval '1 year'");
    await breach("another row was changed");
    await watch();
    expect(mailed()).toHaveLength(3);
  });

  test("name points that a person moved by hand above the share of the daily limit, and approvals asked for", async () => {
    await set({ kinds: ["grant_unusual", "approval_waiting"] });
    const { storefrontId } = await makeCustomer(service.deps);
    const give = (value: number, uid: string) =>
      owner.post(`/customers/${storefrontId}/adjustments`, { request_uid: uid, point_value: value });
    const uid = () => service.deps.random.uid();
    const first = await give(5_000, uid());
    expect(first.status, first.text).toBe(200);
    await watch();
    expect((await shown()).alerts).toEqual([]);
    const over = await give(1, uid());
    expect(over.status, over.text).toBeLessThan(300);
    await watch();
    const { alerts } = await shown();
    expect(alerts).toMatchObject([{ kind: "approval_waiting", ended_at: null }]);
    expect(alerts[0]?.text.en).toContain("requests approval of an adjustment (points: 1)");
    await set({ kinds: ["grant_unusual"], grant_percent: 49 });
    await watch();
    expect((await shown()).alerts).toMatchObject([
      { kind: "grant_unusual", ended_at: null, text: { ja: expect.stringContaining("5,000ポイント") } },
      { kind: "approval_waiting", ended_at: expect.any(String) },
    ]);
  });

  test("reach the webhook later where it fails, and the page says why", async () => {
    await set({ addresses: [], webhook_url: hook() });
    await breach("a row was changed");
    receiver.answer = () => 500;
    await watch();
    expect(await shown()).toMatchObject({ webhook_error: "the webhook responded 500", alerts: [{ is_posted: false }] });
    await set({ addresses: [], webhook_url: `${hook()}/other` }); // nothing was sent to this one yet
    expect(await shown()).toMatchObject({ webhook_error: null });
    receiver.answer = () => 200;
    await watch();
    await watch();
    expect(posted()).toHaveLength(2);
    expect(await shown()).toMatchObject({ webhook_error: null, alerts: [{ is_posted: true }] });
  });

  test("of a kind that was turned off end without a message", async () => {
    await set({ webhook_url: hook() });
    await breach("a row was changed");
    await watch();
    await set({ kinds: ["job_troubled"] });
    await tenMinutesPass();
    await watch();
    expect((await shown()).alerts).toMatchObject([{ ended_at: expect.any(String) }]);
    expect([smtp.mails.length, receiver.arrivals.length]).toEqual([1, 1]);
  });
});

describe("the settings of alerts", () => {
  test("are an owner's, and each wrong field is named", async () => {
    const manager = await signIn(service, "manager");
    expect((await manager.get("/alerts")).status).toBe(403);
    expect((await manager.put("/alerts", input())).status).toBe(403);
    const pointer = async (more: Partial<AlertsInput>) => (await set(more)).body.errors[0].source.pointer;
    expect(await pointer({ addresses: ["a@b.example", "nobody"] })).toBe("/addresses");
    expect(await pointer({ addresses: [..."abcdefghijk"].map((name) => `${name}@b.example`) })).toBe("/addresses");
    expect(await pointer({ webhook_url: "ftp://hooks.example/x" })).toBe("/webhook_url");
    expect(await pointer({ addresses: [] })).toBe("/is_on");
    expect(await pointer({ grant_percent: 0 })).toBe("/grant_percent");
    expect((await shown()).is_on).toBe(false);
  });

  test("keep the webhook's address sealed: only its host is shown, in the audit log too", async () => {
    await set({ webhook_url: hook() });
    await set({ language: "ja", addresses: ["Ops@store.example", "ops@store.example "] });
    const answer = await owner.get("/alerts");
    expect(answer.body.data).toMatchObject({ webhook_host: new URL(hook()).host, addresses: ["ops@store.example"] });
    expect(answer.text).not.toContain("secret-path");
    const entries = await owner.get("/audit?subject_kind=alert_settings");
    expect(entries.body.data).toHaveLength(2);
    expect(entries.text).not.toContain("secret-path");
    const old = createSecretBox({ current: "x".repeat(32), previous: [] });
    await service.deps.db.execute("update alert_setting set webhook_sealed = $1", [old.seal(hook())]);
    const both = {
      ...service.deps,
      secretBox: createSecretBox({ current: "y".repeat(32), previous: ["x".repeat(32)] }),
    };
    expect(await resealAlertWebhook(both)).toBe(1);
    expect(await resealAlertWebhook(both)).toBe(0);
    // the key of both is lost: the page still opens, and a reset removes what cannot be read any more
    expect((await shown()).webhook_host).toBeNull();
    expect(await resetAlertWebhook(service.deps, { isDryRun: true })).toBe(true);
    expect(await resetAlertWebhook(service.deps, { isDryRun: false })).toBe(true);
    expect(await resetAlertWebhook(service.deps, { isDryRun: true })).toBe(false);
    expect((await set({ webhook_url: hook() })).body.data.webhook_host).not.toBeNull();
    expect((await set({ webhook_url: null })).body.data.webhook_host).toBeNull();
  });

  test("are tried by a test to every address and the webhook", async () => {
    await set({ is_on: false, language: "ja", webhook_url: hook() });
    expect((await owner.post("/alerts/test")).body.data).toEqual({
      mails: 1,
      has_mail: true,
      webhook: "taken",
      webhook_error: null,
    });
    expect(posted()).toEqual([expect.stringContaining("アラートのテスト")]);
    await watch();
    expect(smtp.mails.map(({ to }) => to)).toEqual(["ops@store.example"]);
    receiver.answer = () => 404;
    const failed = (await owner.post("/alerts/test")).body.data;
    expect(failed).toMatchObject({ webhook: "failed", webhook_error: "the webhook responded 404" });
    expect(await shown()).toMatchObject({ webhook_error: "the webhook responded 404" });
  });

  test("do not let the webhook be an address of the network within", async () => {
    const guarded = { ...service.deps.config, allowPrivateCallbacks: false };
    await service.stop();
    service = await startTestService({ worker: false, config: guarded });
    owner = await signIn(service, "owner");
    const answer = await set({ webhook_url: "https://127.0.0.1/x" });
    expect(answer.body.errors[0]).toMatchObject({ detail: "expected a public address" });
  });
});
