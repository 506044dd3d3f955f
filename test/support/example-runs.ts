/**
 * The number of examples of a property test that needs a database: few in every run, since they are always the same (seed.ts). For a longer search:
 * `FC_RUNS=20 FC_SEED=$RANDOM npx vitest run test/flows/orders/orders-mixed`, twenty times as many.
 */
export function exampleRuns(count: number): number {
  return Math.ceil(count * Number(process.env["FC_RUNS"] ?? 1));
}

/**
 * The parameters of a property whose examples are long. `FC_SEED` and `FC_PATH` of a failure repeat its example alone; with `FC_SHRINK=1` the shortest
 * one that fails is looked for.
 */
export function longExamples(count: number) {
  const { FC_PATH: path, FC_SHRINK: shrink } = process.env;
  const numRuns = path === undefined ? exampleRuns(count) : 1;
  return { numRuns, endOnFailure: shrink === undefined, ...(path === undefined ? {} : { path }) };
}

/** Whether one example is repeated: what is counted over all of them says nothing then. */
export function isRepeated(): boolean {
  return process.env["FC_PATH"] !== undefined;
}
