import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { ConfigError } from "../../../src/environment.ts";
import { pruneExports } from "../../../src/exports/prune-exports.ts";
import { pruneReceipts } from "../../../src/intake/prune-receipts.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
const { retention } = readConfig({ POINTKEEPER_KEEP_RECEIPTS_DAYS: "3", POINTKEEPER_KEEP_EXPORTS_DAYS: "45" });

beforeAll(async () => {
  service = await startTestService({ config: { retention } });
});

afterAll(() => service?.stop());

test("data is kept for as long as the settings say", async () => {
  const customer = { type: "CustomerUpserted", delivery_key: "kept-1", payload: { customer_id: "c1" } };
  await service.client.post("/intake/events", customer);
  const period = { start_datetime: "2026-01-01", end_datetime: "2026-12-31" };
  expect((await service.client.post("/api/storefront/point_balances/export", period)).status).toBeLessThan(300);
  const unfinished = "select from receipt where state <> 'done' union all select from export where state <> 'ready'";
  await expect.poll(() => service.deps.db.query(unfinished)).toEqual([]);
  const counts = async () => [await pruneReceipts(service.deps), await pruneExports(service.deps)];
  service.clock.advance({ hours: 24 * 2 });
  expect(await counts()).toEqual([0, 0]);
  service.clock.advance({ hours: 25 });
  expect(await counts()).toEqual([1, 0]);
  service.clock.advance({ hours: 24 * 41 });
  expect(await counts()).toEqual([0, 0]);
  service.clock.advance({ hours: 24 * 2 });
  expect(await counts()).toEqual([0, 1]);
});

test.each([
  ["POINTKEEPER_KEEP_RECEIPTS_DAYS", "0"],
  ["POINTKEEPER_KEEP_EXPORTS_DAYS", "29"],
  ["POINTKEEPER_KEEP_IMPORT_FILES_DAYS", "soon"],
  ["POINTKEEPER_KEEP_WEBHOOKS_DAYS", "0"],
])("%s=%s is refused at the start", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
});

/** The tables of each row of docs/operations.md, "Retention", by the row's first words; and those that no row names. */
const KEPT: Readonly<Record<string, string>> = {
  "allotments, draws":
    "allotment allotment_block account_block allotment_note balance lot draw settled_debt reservation customer customer_alias " +
    "store_order order_posting order_spend coupon coupon_use customer_tier tier_change tier_standing customer_spend_base " +
    "birthday_reward history_entry moved_points staff_task member_claim counted_source",
  "audit log": "audit_entry access_change access_notice_read privacy_request",
  "versions of the program": "program_version designation program_review order_review",
  "checkpoints of the ledger": "checkpoint tree_node",
  "stored responses": "idempotency",
  "bodies and headers": "receipt receipt_warning",
  "events, delivery": "outbox_event event_batch topic_batch delivery acknowledgement attempt",
  "files of exports": "export export_piece",
  "files of imports": "import import_piece import_fault import_step",
  "rows of imports": "import_row import_change import_profile",
  "requests for approval": "adjustment_request",
  "points that a person": "staff_movement",
  "notes about customers": "customer_note",
  "replaced tags": "tag_statement",
  "saved views": "saved_view default_view segment segment_customer segment_dropped",
  "figures of Home":
    "figure_active figure_book figure_count figure_customer figure_day figure_expiry figure_large figure_standing " +
    "liability_book liability_sum liability_estimate liability_month liability_deferral " +
    "growth_change growth_standing growth_customer growth_month growth_lapse growth_tier growth_move growth_moved growth_points " +
    "growth_benefit growth_benefit_day sale_change sale_standing sale sale_slot sale_collection sale_run sale_result " +
    "sale_reach sale_buyer",
  "runs of jobs": "job_run",
  "runs of backups": "backup_run",
  "alerts that are over": "alert",
  "scheduled reports": "report report_piece",
  "failed authentication": "api_auth_failure",
  "requests of credentials": "api_request api_request_unlisted",
  "the log of mails": "mail",
  "which messages": "message_sent message_tier_change",
  "updates that still": "coupon_creation coupon_removal platform_customer platform_feed platform_mark platform_trigger",
  "sessions of": "staff_session staff_device sign_in_failure sign_in_refusal spent_token staff_link",
};
/** Settings, people, and one row of something: they do not grow by themselves. */
const BOUNDED =
  "migration shop subscription topic_stream receiver_cursor credential api_secret_key storefront_key storefront_origin " +
  "staff staff_identity staff_passkey staff_recovery_code sign_in_setting setup_code setup_step store_theme " +
  "product sandbox_clock ledger_mark ledger_key checkpoint_mark self_check bookmark birthday_run intake_pace node_beat " +
  "job job_plan job_request alert_setting alert_standing report_setting message_setting message_rule message_pace message_run";

test("every table has a row in the table of what is kept for how long, or does not grow", async () => {
  const tables = await service.database.owner.query<{ name: string }>(`
    select c.relname as name
    from pg_class c
    where c.relkind in ('r', 'p')
      and c.relnamespace = current_schema()::regnamespace
      and not c.relispartition`);
  const page = await readFile(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const section = /\n## Retention\n([\s\S]*?)\n## /.exec(page)?.[1] ?? "";
  const rows = [...section.matchAll(/^\| ([^|]+?) \|/gm)].map(([, first]) => first ?? "");
  expect(Object.keys(KEPT).filter((words) => rows.filter((row) => row.startsWith(words)).length !== 1)).toEqual([]);
  const known = [...Object.values(KEPT), BOUNDED].flatMap((names) => names.split(" "));
  expect([...known].sort()).toEqual([...new Set(known)].sort()); // none twice
  const ofCode = ["counted_source"]; // of a Citus
  expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !ofCode.includes(name) && !tables.some((table) => table.name === name))).toEqual([]);
});
