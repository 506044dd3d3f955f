import { parseArgs } from "node:util";
import { upsertCustomer } from "../src/customers/upsert-customer.ts";
import type { Deps } from "../src/deps.ts";
import { explainBalance } from "../src/explain/explain-balance.ts";
import { saveBlocks } from "../src/explain/save-blocks.ts";
import { postAllotments } from "../src/ledger/post-allotments.ts";
import { plainPosting } from "../src/ledger/posting.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

const NOW = Temporal.Instant.from("2026-01-01T00:00:00Z");
const BATCH = 1_000;
const ROUNDS = 15;

/**
 * Measures how much longer the explanation of a long history takes than that of a short one: the first call, which computes missing sums, and the
 * median of later ones. Every allotment opens a lot that stays open. Exits with 1 if the ratio of the later ones is above 2.
 * `node bench/explain.ts [--short 1000] [--long 100000]`
 */
const { values } = parseArgs({
  options: { short: { type: "string", default: "1000" }, long: { type: "string", default: "100000" } },
});
await withBenchFolder((dataDir) => withBenchDeps(dataDir, { now: () => NOW }, bench));

async function bench(deps: Deps): Promise<void> {
  const medians: number[] = [];
  for (const count of [Number(values.short), Number(values.long)]) {
    const name = `with-${count}`;
    await seed(deps, name, count);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedMs = performance.now();
      await saveBlocks(deps, name);
      await explainBalance(deps, name, { asOf: undefined, since: undefined });
      times.push(performance.now() - startedMs);
    }
    const [first = 0, ...later] = times;
    const median = later.sort((a, b) => a - b)[Math.floor(later.length / 2)] ?? 0;
    medians.push(median);
    say(`${count} allotments: first ${first.toFixed(1)} ms, then ${median.toFixed(1)} ms`);
  }
  const [short = 1, long = 1] = medians;
  say(`ratio ${(long / short).toFixed(2)}`);
  if (long > 2 * short) process.exitCode = 1;
}

async function seed(deps: Deps, storefrontId: string, count: number): Promise<void> {
  const { customer } = await deps.db.tx((tx) => upsertCustomer(tx, deps, { storefrontId }));
  for (let done = 0; done < count; done += BATCH) {
    const postings = Array.from({ length: Math.min(BATCH, count - done) }, () => {
      const change = { kind: "add", pointValue: 1n, shortfall: "refuse" } as const;
      return { customer, posting: plainPosting(deps.random.uid(), "api", "bench", change) };
    });
    await deps.db.tx((tx) => postAllotments(tx, deps, postings));
  }
  await deps.db.execute("vacuum analyze allotment");
  await deps.db.execute("vacuum analyze lot");
}
