import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { FAULT_KINDS, type FaultKind } from "./plan.ts";
import { type TortureResult, torture } from "./run.ts";

const USAGE = `npm run torture -- [--minutes 3] [--seed 1] [--lanes 12] [--only "node killed,disk full"] [--report docs/reliability.md]

Three nodes over one database, tormented round by round, held beside a journal of what was acknowledged. Exits 1 at the first finding.
The same seed gives the same faults at the same times; what they meet depends on the machine.
  --verbose        prints each fault as it happens
  --report <file>  writes the figures between the lines <!-- torture --> and <!-- /torture --> of a file`;
const ROUND_MS = 30_000;
/** Longer than a job's lease (30 s); a round waits for it. */
const FROZEN_MS_MAX = 45_000;
const IMPORT_MS = 240_000;
const PLACE = /(?<=<!-- torture -->\n)[\s\S]*?(?=<!-- \/torture -->)/;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    lanes: { type: "string", default: "12" },
    only: { type: "string" },
    report: { type: "string" },
    verbose: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (values.help === true) {
  say(USAGE);
  process.exit(0);
}

function numberOf(name: "minutes" | "seed" | "lanes", max: number): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new Error(`--${name} must be a whole number from 1 to ${max}\n\n${USAGE}`);
}

function kindsOf(only: string | undefined): FaultKind[] {
  if (only === undefined) return [...FAULT_KINDS];
  const named = only.split(",").map((name) => name.trim());
  const unknown = named.find((name) => !FAULT_KINDS.some((kind) => kind === name));
  if (unknown !== undefined) throw new Error(`--only knows ${FAULT_KINDS.join(", ")}, not ${unknown}`);
  return FAULT_KINDS.filter((kind) => named.includes(kind));
}

function report(result: TortureResult, seed: number): string {
  const { findings, faults, chores, asked, memoryAtStart, memoryAtEnd, tookMs } = result;
  const megabytes = (bytes: readonly number[]) => bytes.map((of) => `${Math.round(of / 2 ** 20)} MB`).join(", ");
  const rows: [string, string | number][] = [
    ...FAULT_KINDS.map((kind): [string, number] => [kind, faults.get(kind) ?? 0]),
    ...[...chores].map(([name, count]): [string, number] => [name, count]),
    ...Object.entries(asked).map(([name, count]): [string, number] => [`attempts at a receiver that ${name}`, count]),
    ["requests acknowledged", findings.acknowledged],
    ["requests without a key whose answer was lost", findings.open],
    ["orders accepted", findings.orders],
    ["rows imported", findings.rows],
    ["coupons and reservations acknowledged", findings.spendings],
    ["**lost**", findings.lost],
    ["**doubled**", findings.doubled],
    ["answers that no fault explains", findings.faults],
    ["deliveries due", findings.due],
    ["delivered", findings.delivered],
    ["**phantom deliveries**", findings.phantom],
    ["deliveries with a wrong signature", findings.unsigned],
    ["events due to two readers of the change feed", findings.feed.due],
    ["events read", findings.feed.read],
    ["**events lost**", findings.feed.lost],
    ["**events doubled**", findings.feed.doubled],
    ["**events invented**", findings.feed.invented],
    ["events out of order", findings.feed.misplaced],
    ["invariants that `verify` found broken", findings.unverified],
    ["memory of the nodes at the start", megabytes(memoryAtStart)],
    ["memory of the nodes at the end", megabytes(memoryAtEnd)],
  ];
  const minutes = (tookMs / 60_000).toFixed(1);
  const head = `A run of ${minutes} minutes, seed ${seed}, on ${new Date().toISOString().slice(0, 10)}:\n\n| | |\n|---|---|\n`;
  return `${head}${rows.map(([name, value]) => `| ${name} | ${value} |\n`).join("")}`;
}

const seed = numberOf("seed", 1_000_000);
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    say(`${signal}: the run ends after this round`);
    ending.abort();
  });
const result = await torture({
  seed,
  rounds: Math.max(1, Math.round((numberOf("minutes", 10_000) * 60_000) / (ROUND_MS * 1.5))),
  roundMs: ROUND_MS,
  lanes: numberOf("lanes", 200),
  kinds: kindsOf(values.only),
  frozenMsMax: FROZEN_MS_MAX,
  importMs: IMPORT_MS,
  withOwnDisk: true,
  print: say,
  ...(values.verbose === true ? { note: (line) => say(`${(performance.now() / 1_000).toFixed(1)} s ${line}`) } : {}),
  signal: ending.signal,
});
const text = report(result, seed);
say(`\n${text}`);
if (values.report !== undefined) {
  const page = readFileSync(values.report, "utf8");
  if (!PLACE.test(page)) throw new Error(`${values.report} has no place for the figures`);
  writeFileSync(values.report, page.replace(PLACE, `${text}`));
}
process.exitCode = result.findings.details.length === 0 ? 0 : 1;
