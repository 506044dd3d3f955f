/**
 * Computes how evenly a store's awards are distributed over the workers of a Citus: `npx node bench/bucket-skew.ts`. Customers are assigned to 256
 * buckets by their uid, buckets to shards as Citus does (PostgreSQL's hash of a smallint, in equal ranges), shards to workers in turn. Prints the
 * busiest worker's load divided by the mean, for stores in which a few customers receive most awards.
 */

const BUCKETS = 256;
const CUSTOMERS = 1_000_000;
const SHARDS = [32, 64, 128, 256, 512] as const;
const WORKERS = [2, 4, 8, 16] as const;
/** Exponents of Zipf's law: the n-th customer receives awards in proportion to 1 / n^s. 0: all the same. */
const SKEWS = [0, 0.8, 1, 1.2] as const;

/** PostgreSQL's `hash_uint32` of a small number, as a signed number. */
function bucketHash(bucket: number): number {
  const rotate = (x: number, by: number) => (x << by) | (x >>> (32 - by));
  const start = (0x9e37_79b9 + 4 + 3_923_095) | 0;
  let a = (start + bucket) | 0;
  let b = start;
  let c = start;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c;
}

/** Returns the shard of a bucket: shards have equal ranges of the hash, the last one a slightly longer one. */
function shardOf(bucket: number, shards: number): number {
  const range = Math.floor(2 ** 32 / shards);
  return Math.min(shards - 1, Math.floor((bucketHash(bucket) + 2 ** 31) / range));
}

/** Returns the load of each bucket, with the sum 1: customers by Zipf's law, each in a random bucket. */
function bucketLoads(skew: number, random: () => number): number[] {
  const loads = Array.from({ length: BUCKETS }, () => 0);
  let sum = 0;
  for (let n = 1; n <= CUSTOMERS; n++) {
    const load = n ** -skew;
    const bucket = Math.floor(random() * BUCKETS);
    loads[bucket] = (loads[bucket] ?? 0) + load;
    sum += load;
  }
  return loads.map((load) => load / sum);
}

/** Returns the busiest worker's load divided by the mean. */
function imbalance(loads: readonly number[], shards: number, workers: number): number {
  const byWorker = Array.from({ length: workers }, () => 0);
  for (const [bucket, load] of loads.entries()) {
    const worker = shardOf(bucket, shards) % workers;
    byWorker[worker] = (byWorker[worker] ?? 0) + load;
  }
  return Math.max(...byWorker) * workers;
}

/** A linear congruential generator, which always returns the same numbers. */
function seeded(): () => number {
  let state = 20_261_123;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = seeded();
for (const skew of SKEWS) {
  const loads = bucketLoads(skew, random);
  const hottest =
    1 / Array.from({ length: CUSTOMERS }, (_, n) => (n + 1) ** -skew).reduce((sum, load) => sum + load, 0);
  process.stdout.write(
    `\nskew ${skew}: the first customer has ${(100 * hottest).toFixed(2)} % of all awards, the fullest bucket ${(100 * Math.max(...loads)).toFixed(2)} %\n`,
  );
  process.stdout.write(`shards   ${WORKERS.map((workers) => `${workers} workers`.padStart(11)).join("")}\n`);
  for (const shards of SHARDS) {
    const row = WORKERS.map((workers) => imbalance(loads, shards, workers).toFixed(2).padStart(11));
    process.stdout.write(`${String(shards).padEnd(9)}${row.join("")}\n`);
  }
}
