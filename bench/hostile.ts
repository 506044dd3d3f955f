import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { ATTACKS, type Attack, runAttack, type Victim } from "./hostile-attacks.ts";
import { type Running, spawnServer } from "./processes.ts";
import { AUTHORIZATION, CREDENTIAL, say, serviceEnv, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures how hostile clients affect others. The service, started like with `npm start`, is attacked in turn by eight clients at full speed and by
 * thousands of slow ones from a separate process, while a fresh connection requests `/ready` every 20 ms. For each attack it prints the times of
 * `/ready`, the peak of the service's resident memory and the responses by status. Exits with 1 if a limit is exceeded. It attacks only the service
 * that it started, on the loopback address; each attack ends by itself. Linux only.
 * `node bench/hostile.ts [--seconds 10] [--only <text>]`
 */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    attack: { type: "string" }, // in the attackers' process: the name; the first message contains the victim
  },
});
const READY_P99_MAX_MS = 250;
const RSS_MAX_MB = 400;
const SECONDS_MAX = 60;
const PROBE_EVERY_MS = 20;
const PROBE_TIMEOUT_MS = 10_000;
const seconds = Math.min(SECONDS_MAX, Number(values.seconds));

interface Outcome {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failedProbes: number;
  readonly probes: number;
  readonly rssMb: number;
  readonly answers: Readonly<Record<string, number>>;
}

if (values.attack === undefined) await withBenchFolder(bench);
else await attackAsChild(values.attack);

async function bench(dataDir: string): Promise<void> {
  const server = await spawnServer(
    serviceEnv(dataDir, {
      SHOPIFY_SHOP_DOMAIN: "bench.myshopify.com",
      SHOPIFY_WEBHOOK_SECRETS: CREDENTIAL.secret,
      LOG_LEVEL: "error",
    }),
  );
  const outcomes: Outcome[] = [];
  try {
    await measure(server, null); // warm-up only
    outcomes.push(await measure(server, null));
    for (const attack of ATTACKS.filter(({ name }) => name.includes(values.only))) {
      outcomes.push(await measure(server, attack));
      say(lineOf(outcomes.at(-1) ?? outcomes[0]));
    }
  } finally {
    await server.stop();
  }
  process.stdout.write(`\n${tableOf(outcomes)}\n`);
  const isKept = outcomes.every(
    ({ p99Ms, rssMb, failedProbes }) => p99Ms < READY_P99_MAX_MS && rssMb < RSS_MAX_MB && failedProbes === 0,
  );
  if (!isKept) process.exitCode = 1;
}

async function measure(server: Running, attack: Attack | null): Promise<Outcome> {
  const memory = watchRss(server.child);
  const victim = { port: Number(new URL(server.url).port), authorization: AUTHORIZATION };
  const attacked = attack === null ? Promise.resolve({}) : attackBeside(attack, victim);
  const probed = await probe(server.url);
  const answers = await attacked;
  const rssMb = await memory.stop();
  const times = probed.times.sort((a, b) => a - b);
  return {
    name: attack?.name ?? "nothing",
    p50Ms: at(times, 0.5),
    p99Ms: at(times, 0.99),
    failedProbes: probed.failed,
    probes: times.length,
    rssMb,
    answers,
  };
}

/** Requests `/ready` with fresh connections, without waiting for earlier responses. */
async function probe(url: string): Promise<{ times: number[]; failed: number }> {
  const times: number[] = [];
  let failed = 0;
  const open: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let n = 0; n * PROBE_EVERY_MS < seconds * 1_000; n++) {
    const waitMs = startedMs + n * PROBE_EVERY_MS - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const askedMs = performance.now();
    open.push(
      ask(`${url}/ready`).then((status) => {
        times.push(performance.now() - askedMs);
        if (status !== 200) failed++;
      }),
    );
  }
  await Promise.all(open);
  return { times, failed };
}

async function ask(url: string): Promise<number> {
  const agent = new Agent({ connections: 1, headersTimeout: PROBE_TIMEOUT_MS, connectTimeout: PROBE_TIMEOUT_MS });
  try {
    const answer = await request(url, { dispatcher: agent, headers: { connection: "close" } });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return 0; // refused, cut or too late
  } finally {
    await agent.destroy();
  }
}

async function attackBeside(attack: Attack, victim: Victim): Promise<Record<string, number>> {
  const child = fork(fileURLToPath(import.meta.url), ["--attack", attack.name, "--seconds", String(seconds)]);
  child.send(victim);
  let answers: Record<string, number> = {};
  child.on("message", (message: Record<string, number>) => {
    answers = message;
  });
  await once(child, "close");
  return answers;
}

async function attackAsChild(name: string): Promise<void> {
  const attack = ATTACKS.find((one) => one.name === name);
  const [victim] = (await once(process, "message")) as [Victim]; // cast: what `attackBeside` sends
  if (attack !== undefined) process.send?.(await runAttack(attack, victim, seconds));
  process.disconnect?.();
}

/** Measures the peak resident memory of a process while something runs, in MB. */
function watchRss({ pid }: ChildProcess): { stop(): Promise<number> } {
  let peak = 0;
  const look = async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    peak = Math.max(peak, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
  };
  const timer = setInterval(look, 50);
  return {
    async stop() {
      await look();
      clearInterval(timer);
      return Math.round(peak);
    },
  };
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function lineOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "";
  const { name, p50Ms, p99Ms, failedProbes, probes, rssMb, answers } = outcome;
  const statuses = Object.entries(answers).map(([status, count]) => `${status}: ${count}`);
  const failed = failedProbes === 0 ? "" : `, ${failedProbes} of ${probes} failed`;
  return `| ${name} | ${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)} ms${failed} | ${rssMb} MB | ${statuses.join(", ")} |`;
}

function tableOf(outcomes: readonly Outcome[]): string {
  const head = "| attack | /ready p50 / p99 | RSS peak | answers |\n|---|---|---|---|";
  return [head, ...outcomes.map(lineOf)].join("\n");
}
