import type { CustomerRow } from "../../customers/customer.ts";
import { selectByEmail, selectNamed } from "../../customers/customer-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { parseJsonSource } from "../../platforms/json-source.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { readProgramValidAt } from "../../program/read-program-valid-at.ts";
import { processedAt as orderProcessedAt, type StoredFacts } from "../facts/order-facts.ts";
import { selectProducts } from "../products/select-products.ts";
import { readOrderRules } from "../read-order-rules.ts";
import { parsePreview } from "./preview-facts.ts";
import { type Preview, previewPlan } from "./preview-plan.ts";

export interface PreviewedOrder extends Preview {
  /** null: no customer yet; the order would earn like that of a new customer. */
  readonly customer: CustomerRow | null;
}

/**
 * Returns the points that an order or cart would earn, without writing (program.md 4), by the rules, tier and products that the order's
 * snapshot would have. An unknown customer earns like a new one. Throws `invalid_json`, `invalid` with every fault, and
 * `customer_not_found` for a customer who was deleted.
 */
export async function previewOrder(deps: Pick<Deps, "db" | "clock">, rawBody: Uint8Array): Promise<PreviewedOrder> {
  const json = parseJsonSource(rawBody);
  if (!json.ok) throw new Problem("invalid_json", { faults: [{ detail: json.fault }] });
  const now = deps.clock.now();
  return deps.db.snapshot(async (tx) => {
    const { store } = await readProgram(tx);
    const parse = parsePreview(json.value, { now, currency: store.currency });
    if (!parse.ok) throw new Problem("invalid", { faults: parse.faults });
    const { facts, processedAt } = parse;
    const customer = await findBuyer(tx, facts);
    if (customer !== null && customer.deletedAt !== null) throw new Problem("customer_not_found");
    const instant = orderProcessedAt(facts) ?? now;
    const program = await readProgramValidAt(tx, instant);
    const namedId = facts.stated.customerId;
    const [rules] = await readOrderRules(tx, [{ program, customer, namedId, instant, receivedAt: now }]);
    if (rules === undefined) throw new Error("an order has no rules");
    const products = await selectProducts(tx, productIds(facts));
    return { customer, ...previewPlan({ facts, rules, products, processedAt }) };
  });
}

/** Returns the customer of the order like `findOrderCustomer`, but creates none. The id may be an e-mail, as in every request. */
async function findBuyer(tx: Tx, { stated }: StoredFacts): Promise<CustomerRow | null> {
  const { customerId } = stated;
  const named = customerId || stated.email;
  if (!named) return null;
  const [only, another] = customerId ? await selectNamed(tx, named) : await selectByEmail(tx, named.toLowerCase());
  return only !== undefined && another === undefined ? only : null;
}

function productIds({ stated }: StoredFacts): readonly string[] {
  return [...new Set((stated.lines ?? []).flatMap(({ productId }) => (productId === null ? [] : [productId])))];
}
