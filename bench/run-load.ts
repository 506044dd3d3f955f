import autocannon from "autocannon";
import { type Scenario, storefrontIdOf, type Wanted } from "./scenarios.ts";

export interface Target {
  readonly url: string;
  readonly authorization: string;
}

/** One run of a scenario: every request was sent, answered and counted. */
export interface Run {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly acknowledged: number;
  /** The sum of the acknowledged values. */
  readonly points: number;
  readonly refused: number;
}

/** How often the generator looks whether it is done. */
const SAMPLE_MS = 50;
let runs = 0;

/** Sends `amount` requests of a scenario over its connections and waits for every answer. */
export async function runLoad(target: Target, scenario: Scenario, amount: number): Promise<Run> {
  const run = ++runs;
  const perConnection = Math.max(1, Math.round(amount / scenario.connections));
  const plans = new Map<autocannon.Client, { wanted: Wanted[]; answered: number }>();
  const durationsMs = new Float64Array(perConnection * scenario.connections);
  let [acknowledged, points, refused, startMs, endMs] = [0, 0, 0, 0, 0];
  await new Promise<void>((resolve, reject) => {
    const setupClient = (client: autocannon.Client) => {
      const connection = plans.size;
      const wanted = Array.from({ length: perConnection }, (_, n) => scenario.wanted(connection, n));
      plans.set(client, { wanted, answered: 0 });
      client.setRequests(wanted.map((one, n) => requestOf(target, scenario, one, `${run}-${connection}-${n}`)));
    };
    const { url } = target;
    const { connections } = scenario;
    const options = { url, connections, amount: durationsMs.length, sampleInt: SAMPLE_MS, timeout: 60, setupClient };
    const instance = autocannon(options, (error) => (error ? reject(error) : resolve()));
    instance.on("start", () => {
      startMs = performance.now();
    });
    instance.on("reqError", reject);
    instance.on("response", (client, status, _bytes, durationMs) => {
      endMs = performance.now();
      const plan = plans.get(client);
      const value = plan?.wanted[plan.answered]?.pointValue;
      if (plan === undefined || value === undefined) return reject(new Error("an answer came that was not asked for"));
      plan.answered++;
      durationsMs[acknowledged + refused] = durationMs;
      if (status !== 200) refused++;
      else {
        acknowledged++;
        points += value;
      }
    });
  });
  durationsMs.sort();
  const at = (part: number) =>
    durationsMs[Math.min(durationsMs.length - 1, Math.floor(durationsMs.length * part))] ?? 0;
  const perSecond = (durationsMs.length * 1_000) / (endMs - startMs);
  return { perSecond, p50Ms: at(0.5), p99Ms: at(0.99), acknowledged, points, refused };
}

function requestOf(target: Target, scenario: Scenario, wanted: Wanted, key: string): autocannon.Request {
  return {
    method: "POST",
    path: scenario.path,
    headers: {
      authorization: target.authorization,
      "content-type": "application/json",
      ...(scenario.hasKeys ? { "idempotency-key": `bench-${process.pid}-${key}` } : {}),
    },
    body: JSON.stringify({ customer_id: storefrontIdOf(wanted.customer), point_value: wanted.pointValue }),
  };
}
