/**
 * The number of examples of a property test that needs a database: few in every run, since they are always the same (seed.ts). For a longer search:
 * `FC_RUNS=20 FC_SEED=$RANDOM npx vitest run test/flows/orders-mixed`, twenty times as many.
 */
export function exampleRuns(count: number): number {
  return Math.ceil(count * Number(process.env["FC_RUNS"] ?? 1));
}
