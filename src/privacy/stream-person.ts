import { findShownCustomer } from "../customers/find-shown-customer.ts";
import type { Deps } from "../deps.ts";
import { refKeys } from "../ledger/customer-ref.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";
import { formatInstant } from "../time/store-time.ts";
import { DATA_SECTIONS } from "./data-sections.ts";

/**
 * Streams everything that is stored about a customer and those merged into them, as one JSON text (platforms.md 1.1, customers/data_request): `{data:
 * {generated_at, <section>: [...]}}`. For a deleted customer, given by id, it is what is left. Throws `customer_not_found`, `ambiguous_email`.
 */
export async function streamPerson(deps: Pick<Deps, "db" | "clock">, named: string): Promise<AsyncIterable<string>> {
  const { db, clock } = deps;
  const customer = await findShownCustomer(db, named);
  const refs = [customer, ...(await readMerged(db, customer))];
  const keys = refKeys(refs);
  async function* pieces(): AsyncGenerator<string> {
    yield `{"data":{"generated_at":"${formatInstant(clock.now())}"`;
    for (const { name, text } of DATA_SECTIONS) {
      yield `,"${name}":[`;
      let separator = "";
      for await (const rows of db.stream<{ line: string }>(text, keys, { pieceRows: 100 })) {
        yield rows.map(({ line }) => separatorBefore(line)).join("");
      }
      yield "]";

      function separatorBefore(line: string): string {
        const piece = `${separator}${line}`;
        separator = ",";
        return piece;
      }
    }
    yield "}}";
  }
  return pieces();
}
