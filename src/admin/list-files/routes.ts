import { Readable } from "node:stream";
import { type TObject, Type } from "typebox";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../exports/csv-line.ts";
import type { App } from "../../http/app-type.ts";
import { localDate } from "../../time/store-time.ts";
import { listAuditEntries } from "../audit/list-audit-entries.ts";
import { auditQuery } from "../audit/schema.ts";
import { listCustomers } from "../customers/list-customers.ts";
import { readChosenCustomers } from "../customers/read-chosen-customers.ts";
import { customersQuery, type ListedCustomerRow } from "../customers/schema.ts";
import { customerRowView } from "../customers/view.ts";
import { listMoved } from "../growth/list-moved.ts";
import { listStays } from "../growth/list-stays.ts";
import { movesQuery, staysQuery } from "../growth/schema.ts";
import { movesView, staysView } from "../growth/view.ts";
import { listReceipts } from "../intake/list-receipts.ts";
import { receiptQuery } from "../intake/schema.ts";
import { listOrders } from "../orders/list-orders.ts";
import { ordersQuery } from "../orders/schema.ts";
import { listBenefits } from "../results/list-benefits.ts";
import { listedBenefitsQuery } from "../results/schema.ts";
import { listedBenefitsView } from "../results/view.ts";
import { listDeliveries } from "../webhooks/list-deliveries.ts";
import { deliveryQuery } from "../webhooks/schema.ts";
import { type ListColumns, listLines } from "./list-lines.ts";
import { type ListFile, openListFile } from "./open-list-file.ts";
import { chosenCustomersAnswer, chosenCustomersBody } from "./schema.ts";

const encoding = Type.Optional(
  Type.Enum(["utf-8", "utf-8-bom"], { description: "With a byte order mark spreadsheets read it as UTF-8." }),
);

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
  movesFile(app, deps);
  staysFile(app, deps);
  benefitsFile(app, deps);
}

function customersFile(app: App, deps: Deps): void {
  listFileRoute(app, deps, {
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
  listFileRoute(app, deps, {
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
  listFileRoute(app, deps, {
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
  listFileRoute(app, deps, {
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
  listFileRoute(app, deps, {
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

function movesFile(app: App, deps: Deps): void {
  listFileRoute(app, deps, {
    path: "/growth/moves",
    permission: "lists.export",
    query: movesQuery,
    read: async (from, query, pageRows) => movesView(await listMoved(from, query, pageRows)),
    columns: {
      month: ({ month }) => month,
      customer_id: ({ customer }) => customer.id,
      name: ({ customer }) => customer.name,
      email: ({ customer }) => customer.email,
      from_tier: ({ from }) => from,
      to_tier: ({ to }) => to,
    },
  });
}

function staysFile(app: App, deps: Deps): void {
  listFileRoute(app, deps, {
    path: "/growth/stays",
    permission: "lists.export",
    query: staysQuery,
    read: async (from, query, pageRows) => staysView(await listStays(from, query, pageRows)),
    columns: {
      month: ({ month }) => month,
      customer_id: ({ customer }) => customer.id,
      name: ({ customer }) => customer.name,
      email: ({ customer }) => customer.email,
      tier: ({ tier }) => tier,
      in_tier_since: ({ since }) => since,
      tier_now: ({ now }) => now,
    },
  });
}

function benefitsFile(app: App, deps: Deps): void {
  listFileRoute(app, deps, {
    path: "/results/benefits/list",
    permission: "lists.export",
    query: listedBenefitsQuery,
    read: async (from, query, pageRows) => listedBenefitsView(await listBenefits(from, query, pageRows)),
    columns: {
      at: ({ at }) => ({ at }),
      customer_id: ({ customer }) => customer?.id ?? null,
      name: ({ customer }) => customer?.name ?? null,
      email: ({ customer }) => customer?.email ?? null,
      points: ({ points }) => points,
      is_used: ({ is_used }) => (is_used ? "yes" : "no"),
      ordered_within_30_days: ({ has_order }) => (has_order === null ? null : has_order ? "yes" : "no"),
    },
  });
}

/** Registers the file of a list, with the list's filters but without a position. */
function listFileRoute<Query extends TObject, Row>(app: App, deps: Deps, file: ListFile<Query, Row>): void {
  const { after: _after, ...filters } = file.query.properties;
  const querystring = Type.Object({ ...filters, encoding });
  app.get(
    `${file.path}.csv`,
    { config: { permission: file.permission }, schema: { hide: true, querystring } },
    async (request, reply) => {
      const given = request.query as Record<string, string>; // cast: the schema contains texts only
      const form = given.encoding;
      // the audit log gets no parameter that the list does not know
      const query = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(filters, name)));
      const { name, pieces } = await openListFile(deps, file, { query, hasMark: form === "utf-8-bom" });
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${name}"`)
        .header("cache-control", "private, no-store")
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}
