import { expect } from "vitest";
import type { Deps } from "../../src/deps.ts";
import { type StatementSource, streamStatement } from "../../src/exports/statement-queries.ts";
import { CHANGE_COLUMNS } from "../../src/ledger/change-columns.ts";
import { selectMetricsState } from "../../src/metrics/customer-queries.ts";

/** Compares a statement of all time that uses the stored sums with one that adds up all allotments; returns the number of lines. */
export async function compareStatements({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const { summedAt } = await selectMetricsState(db);
  const write = (at: Temporal.Instant | null) => db.execute("update figure_standing set summed_at = $1", [at]);
  const period = { startAt: Temporal.Instant.from("2000-01-01T00:00:00Z"), endAt: clock.now().add({ hours: 1 }) };
  const read = async () => {
    const sources = (await Array.fromAsync(streamStatement(db, period, { isSliding: true }))).flat();
    return sources.map(lineOf);
  };
  const fromSums = await read();
  await write(null);
  const fromAllotments = await read();
  await write(summedAt);
  expect(summedAt).not.toBeNull();
  expect(fromSums).toEqual(fromAllotments);
  return fromSums.length;
}

function lineOf(source: StatementSource): unknown {
  const changes = CHANGE_COLUMNS.map((name) => source[name]);
  return [source.customerUid, source.openingBalance, changes, source.closingBalance];
}
