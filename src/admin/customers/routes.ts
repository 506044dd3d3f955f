import { findShownCustomer } from "../../customers/find-shown-customer.ts";
import type { Deps } from "../../deps.ts";
import { allotmentSentences } from "../../explain/allotment-sentences.ts";
import { explainAllotment } from "../../explain/explain-allotment.ts";
import { createFormatter } from "../../explain/formatter.ts";
import { readOrderNames } from "../../explain/read-order-names.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { readMerged } from "../../ledger/merge/merge-queries.ts";
import { Problem } from "../../problems.ts";
import { INTEGRATION_NAMES } from "../../wire/integration-names.ts";
import { pageOf, type RowsPage } from "../list.ts";
import { customerAccountRoutes } from "./account-routes.ts";
import { adjustmentRoutes } from "./adjustment-routes.ts";
import { listCustomers } from "./list-customers.ts";
import { mergeRoutes } from "./merge-routes.ts";
import { noteRoutes } from "./note-routes.ts";
import { partRoutes } from "./part-routes.ts";
import { profileRoutes } from "./profile-routes.ts";
import { selectTimeline, type TimelineRow } from "./queries.ts";
import { readCustomer } from "./read-customer.ts";
import {
  customerAllotmentParams,
  customerHeadAnswer,
  customersAnswer,
  customersQuery,
  explanationAnswer,
  explanationQuery,
  ledgerAnswer,
  shownCustomerParams,
  timelineQuery,
} from "./schema.ts";
import { allotmentExplanationView, customerHeadView, customerRowView, ledgerRowView } from "./view.ts";

const config = { permission: "view" } as const;

/** The requested part of a customer's ledger. */
interface TimelineQuery {
  readonly type?: string | undefined;
  /** The id of a customer who was merged into this one; absent: the customer's own balance. */
  readonly balance?: string | undefined;
  readonly after?: string | undefined;
}

/** `/customers`: the list and the search, a customer's page, and staff's changes of points and tier. */
export function customersAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/customers",
    { config, schema: { hide: true, querystring: customersQuery, response: { 200: customersAnswer } } },
    async (request, reply) => {
      const page = await runRead(deps, [request, reply], (from) => listCustomers(from, request.query));
      const tiers = page.program.tiers.rules.map(({ uid, name }) => ({ uid, name }));
      const found = page.found && { count: page.found.count, has_more: page.found.hasMore };
      return {
        data: page.rows.map((row) => customerRowView(row, page)),
        next: page.next,
        tiers,
        found,
        total: page.total,
      };
    },
  );
  app.get(
    "/customers/:id",
    { config, schema: { hide: true, params: shownCustomerParams, response: { 200: customerHeadAnswer } } },
    async (request) => ({ data: customerHeadView(await readCustomer(deps, request.params.id)) }),
  );
  const timeline = { params: shownCustomerParams, querystring: timelineQuery, response: { 200: ledgerAnswer } };
  app.get("/customers/:id/ledger", { config, schema: { hide: true, ...timeline } }, async (request) => {
    const { rows, next } = await listTimeline(deps, request.params.id, request.query);
    const names = await readOrderNames(deps.db, rows);
    return { data: rows.map((row) => ledgerRowView(row, names)), next };
  });
  customerAccountRoutes(app, deps);
  explanationRoutes(app, deps);
  partRoutes(app, deps);
  adjustmentRoutes(app, deps);
  profileRoutes(app, deps);
  noteRoutes(app, deps);
  mergeRoutes(app, deps);
}

function explanationRoutes(app: App, deps: Deps): void {
  const answer = { querystring: explanationQuery, response: { 200: explanationAnswer } };
  app.get(
    "/customers/:id/ledger/:uid/explanation",
    { config, schema: { hide: true, params: customerAllotmentParams, ...answer } },
    async (request, reply) => {
      const explanation = await runRead(deps, [request, reply], (from) => explainAllotment(from, request.params.uid));
      const { language = "en" } = request.query;
      const format = createFormatter(language, explanation.timeZone, INTEGRATION_NAMES[language]);
      const words = allotmentSentences(explanation, format);
      return { data: allotmentExplanationView(explanation, words) };
    },
  );
}

/**
 * Returns a page of a customer's ledger, newest first. The version is the position, so a deep page costs as much as the first. Throws
 * `customer_not_found`, `ambiguous_email`, `invalid` for a balance of another customer.
 */
async function listTimeline(
  deps: Pick<Deps, "db">,
  named: string,
  { type, balance, after }: TimelineQuery,
): Promise<RowsPage<TimelineRow>> {
  const customer = await findShownCustomer(deps.db, named);
  const owner = balance === undefined ? customer : await mergedOf(deps, customer, balance);
  const before = after === undefined ? 2n ** 62n : BigInt(after);
  const found = await selectTimeline(deps.db, owner, { before, type: type ?? null });
  return pageOf(found, ({ version }) => String(version));
}

async function mergedOf({ db }: Pick<Deps, "db">, customer: CustomerRef, uid: string): Promise<CustomerRef> {
  if (customer.customerUid === uid) return customer;
  const merged = (await readMerged(db, customer)).find(({ customerUid }) => customerUid === uid);
  if (merged !== undefined) return merged;
  const detail = "expected the id of a customer who was merged into this one";
  throw new Problem("invalid", { faults: [{ parameter: "balance", detail }] });
}
