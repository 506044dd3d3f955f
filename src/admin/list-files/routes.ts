import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../exports/csv-line.ts";
import type { App } from "../../http/app-type.ts";
import { localDate } from "../../time/store-time.ts";
import { listRequests } from "../approvals/list-requests.ts";
import { requestsQuery } from "../approvals/schema.ts";
import { requestView } from "../approvals/view.ts";
import { listAuditEntries } from "../audit/list-audit-entries.ts";
import { auditQuery } from "../audit/schema.ts";
import { listImports } from "../csv/list-imports.ts";
import { importsQuery } from "../csv/schema.ts";
import { listCustomers } from "../customers/list-customers.ts";
import { readChosenCustomers } from "../customers/read-chosen-customers.ts";
import { customersQuery, type ListedCustomerRow } from "../customers/schema.ts";
import { customerRowView } from "../customers/view.ts";
import { listReceipts } from "../intake/list-receipts.ts";
import { receiptQuery } from "../intake/schema.ts";
import { listMails } from "../messages/list-mails.ts";
import { mailQuery } from "../messages/schema.ts";
import { listOrders } from "../orders/list-orders.ts";
import { ordersQuery } from "../orders/schema.ts";
import { listDeliveries } from "../webhooks/list-deliveries.ts";
import { deliveryQuery } from "../webhooks/schema.ts";
import { type ListColumns, listLines } from "./list-lines.ts";
import { registerListFile } from "./register-list-file.ts";
import { chosenCustomersAnswer, chosenCustomersBody } from "./schema.ts";
import { steeringFilesAdminRoutes } from "./steering-routes.ts";

const CUSTOMER_COLUMNS: ListColumns<ListedCustomerRow> = {
  customer_id: ({ id }) => id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  tier: ({ tier }) => tier,
  points: ({ points }) => points,
  expires_at: ({ expires_at }) => ({ at: expires_at }),
  last_activity_at: ({ last_activity_at }) => ({ at: last_activity_at }),
  created_at: ({ created_at }) => ({ at: created_at }),
};

/** Lists as CSV files. The files of the ledger, segments and liability have separate routes. */
export function listFilesAdminRoutes(app: App, deps: Deps): void {
  customersFile(app, deps);
  chosenCustomersFile(app, deps);
  ordersFile(app, deps);
  deliveriesFile(app, deps);
  auditFile(app, deps);
  receiptsFile(app, deps);
  approvalsFile(app, deps);
  mailsFile(app, deps);
  importsFile(app, deps);
  steeringFilesAdminRoutes(app, deps);
}

function customersFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/customers",
    permission: "lists.export",
    query: customersQuery,
    read: async (from, query, pageRows) => {
      const page = await listCustomers(from, query, pageRows);
      return { data: page.rows.map((row) => customerRowView(row, page)), next: page.next };
    },
    columns: CUSTOMER_COLUMNS,
  });
}

/** The customers whose ids are sent, as a file of the same columns: a selection has no address. With a mark, as it is opened in a spreadsheet. */
function chosenCustomersFile(app: App, deps: Deps): void {
  app.post(
    "/customers/chosen",
    {
      config: { permission: "lists.export" },
      schema: { hide: true, body: chosenCustomersBody, response: { 200: chosenCustomersAnswer } },
    },
    async ({ body: { customers } }) => {
      const page = await readChosenCustomers(deps, customers);
      const { timeZone } = page.program.store;
      const rows = page.rows.map((row) => customerRowView(row, page));
      const subject = { kind: "list", id: "customers" };
      await recordAction(deps.db, deps, { action: "list.exported", subject, after: { customers: rows.length } });
      const head = BYTE_ORDER_MARK + csvLine(Object.keys(CUSTOMER_COLUMNS));
      const text = head + listLines(CUSTOMER_COLUMNS, rows, timeZone);
      return { data: { name: `customers-${localDate(deps.clock.now(), timeZone)}.csv`, text } };
    },
  );
}

function ordersFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/orders",
    permission: "lists.export",
    query: ordersQuery,
    read: listOrders,
    columns: {
      order_id: ({ order_id }) => order_id,
      name: ({ name }) => name,
      state: ({ state }) => state,
      processed_at: ({ processed_at }) => ({ at: processed_at }),
      customer_id: ({ customer }) => customer?.id ?? null,
      customer_name: ({ customer }) => customer?.name ?? null,
      customer_email: ({ customer, email }) => customer?.email ?? email,
      total_minor: ({ total }) => total?.minor ?? null,
      currency: ({ total }) => total?.currency ?? null,
      awardable_points: ({ awardable_points }) => awardable_points,
      points_awarded: ({ points_awarded }) => points_awarded,
      points_redeemed: ({ points_redeemed }) => points_redeemed,
    },
  });
}

function deliveriesFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/webhooks/deliveries",
    permission: "lists.export",
    query: deliveryQuery,
    read: listDeliveries,
    columns: {
      uid: ({ uid }) => uid,
      topic: ({ topic }) => topic,
      state: ({ state }) => state,
      attempts: ({ attempts }) => attempts,
      written_at: ({ written_at }) => ({ at: written_at }),
      due_at: ({ due_at }) => ({ at: due_at }),
      customer_id: ({ customer }) => customer?.id ?? null,
      last_at: ({ last_at }) => ({ at: last_at }),
      last_status: ({ last_status }) => last_status,
      last_failure: ({ last_failure }) => last_failure,
    },
  });
}

function auditFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/audit",
    permission: "audit.view",
    query: auditQuery,
    read: listAuditEntries,
    columns: {
      id: ({ id }) => id,
      at: ({ at }) => ({ at }),
      actor_kind: ({ actor }) => actor.kind,
      actor_id: ({ actor }) => actor.id,
      actor_name: ({ actor }) => actor.name,
      address: ({ address }) => address,
      action: ({ action }) => action,
      subject_kind: ({ subject }) => subject.kind,
      subject_id: ({ subject }) => subject.id,
      subject_name: ({ subject }) => subject.name,
      before: ({ before }) => (before === null ? null : JSON.stringify(before)),
      after: ({ after }) => (after === null ? null : JSON.stringify(after)),
    },
  });
}

function receiptsFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/intake/receipts",
    permission: "lists.export",
    query: receiptQuery,
    read: listReceipts,
    columns: {
      uid: ({ uid }) => uid,
      adapter: ({ adapter }) => adapter,
      topic: ({ topic }) => topic,
      subject: ({ subject }) => subject,
      state: ({ state }) => state,
      note: ({ note }) => note,
      attempts: ({ attempts }) => attempts,
      received_at: ({ received_at }) => ({ at: received_at }),
      due_at: ({ due_at }) => ({ at: due_at }),
      has_warnings: ({ has_warnings }) => (has_warnings ? "yes" : "no"),
    },
  });
}

function approvalsFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/approvals",
    permission: "lists.export",
    query: requestsQuery,
    read: async (from, query, pageRows) => {
      const { rows, next } = await listRequests(from, query, pageRows);
      return { data: rows.map((row) => requestView(row, "", from.clock.now())), next }; // no column says whose it is
    },
    columns: {
      uid: ({ uid }) => uid,
      kind: ({ kind }) => kind,
      state: ({ state }) => state,
      customer_id: ({ customer }) => customer?.id ?? null,
      customer_name: ({ customer }) => customer?.name ?? null,
      customer_email: ({ customer }) => customer?.email ?? null,
      merged_customer_id: ({ merge }) => merge?.removed_id ?? null,
      points: ({ file, program, point_value }) => (file === null && program === null ? point_value : null),
      balance: ({ balance }) => balance,
      file_name: ({ file }) => file?.file_name ?? null,
      points_added: ({ file }) => file?.points_added ?? null,
      points_taken: ({ file }) => file?.points_taken ?? null,
      program_version: ({ program }) => program?.version ?? null,
      reason_type: ({ reason_type }) => reason_type,
      note: ({ note }) => note,
      requested_at: ({ requested_at }) => ({ at: requested_at }),
      requested_name: ({ requested_name }) => requested_name,
      requested_email: ({ requested_email }) => requested_email,
      expires_at: ({ expires_at }) => ({ at: expires_at }),
      decided_at: ({ decided_at }) => ({ at: decided_at }),
      decided_name: ({ decided_name }) => decided_name,
      decision_note: ({ decision_note }) => decision_note,
    },
  });
}

function mailsFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/mails",
    permission: "messages.manage",
    query: mailQuery,
    personal: ["to"],
    read: listMails,
    columns: {
      uid: ({ uid }) => uid,
      about: ({ about }) => about,
      to: ({ to }) => to,
      customer_id: ({ customer_id }) => customer_id,
      subject: ({ subject }) => subject,
      state: ({ state }) => state,
      queued_at: ({ queued_at }) => ({ at: queued_at }),
      ended_at: ({ ended_at }) => ({ at: ended_at }),
      attempts: ({ attempts }) => attempts,
      error: ({ error }) => error,
    },
  });
}

function importsFile(app: App, deps: Deps): void {
  registerListFile(deps, app, {
    path: "/imports",
    permission: "lists.export",
    query: importsQuery,
    read: listImports,
    columns: {
      uid: ({ uid }) => uid,
      kind: ({ kind }) => kind,
      state: ({ state }) => state,
      file_name: ({ file_name }) => file_name,
      rows: ({ check }) => check?.row_count ?? null,
      faults: ({ check, import: done }) => (check === null ? null : check.fault_count + (done?.fault_count ?? 0)),
      points_added: ({ check, import: done }) => (done ?? check)?.points_added ?? null,
      points_taken: ({ check, import: done }) => (done ?? check)?.points_taken ?? null,
      created_at: ({ created_at }) => ({ at: created_at }),
      created_by: ({ created_by }) => created_by,
      started_at: ({ started_at }) => ({ at: started_at }),
      started_by: ({ started_by }) => started_by,
      finished_at: ({ finished_at }) => ({ at: finished_at }),
      undone_at: ({ undone_at }) => ({ at: undone_at }),
      undone_by: ({ undone_by }) => undone_by,
    },
  });
}
