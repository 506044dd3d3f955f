import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { drillBackup, drillRestore } from "./backups.ts";
import { drillFailover } from "./failover.ts";
import type { DrillResult } from "./nodes.ts";
import { drillRollingRestart } from "./rolling.ts";

const USAGE = `npm run drills -- [--requests 2000] [--seed 1] [--only "rolling,failover"] [--report docs/reliability.md]

What an operator goes through on purpose or in an emergency, done for real under load and held beside a journal of what was acknowledged:
rolling (a rolling restart), failover (to a synchronous and to an asynchronous standby), backup (logical and physical), restore (to a
moment, and to the end of the archived log). Exits 1 where something was lost, doubled or refused that must not be.
  --requests <n>   that are acknowledged before and after each step
  --report <file>  writes the table between the lines <!-- drills --> and <!-- /drills --> of a file`;
const PLACE = /(?<=<!-- drills -->\n)[\s\S]*?(?=<!-- \/drills -->)/;
const RESTARTS = 3;
/** Acknowledged while the asynchronous standby hears nothing. */
const UNHEARD = 500;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    report: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help === true) {
  say(USAGE);
  process.exit(0);
}

function numberOf(name: "requests" | "seed", max: number): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new Error(`--${name} must be a whole number from 1 to ${max}\n\n${USAGE}`);
}

const seed = numberOf("seed", 1_000_000);
const requests = numberOf("requests", 1_000_000);
const root = tmpdir(); // a disk, which is what a service writes to
const DRILLS: Readonly<Record<string, () => Promise<DrillResult[]>>> = {
  rolling: async () => [await drillRollingRestart({ restarts: RESTARTS, requests, seed, root })],
  failover: async () => {
    const options = { requests, unheard: UNHEARD, seed, root };
    const synchronous = await drillFailover({ ...options, mode: "synchronous" });
    return [synchronous, await drillFailover({ ...options, mode: "asynchronous" })];
  },
  backup: async () => {
    const logical = await drillBackup("logical", { requests, seed, root });
    return [logical, await drillBackup("physical", { requests, seed, root })];
  },
  restore: () => drillRestore({ requests, seed, root }),
};
const names = values.only?.split(",").map((name) => name.trim()) ?? Object.keys(DRILLS);
const unknown = names.find((name) => DRILLS[name] === undefined);
if (unknown !== undefined) throw new Error(`--only knows ${Object.keys(DRILLS).join(", ")}, not ${unknown}`);

const count = (value: number | null) => (value === null ? "" : value.toLocaleString("en"));
const seconds = (ms: number | null) => (ms === null ? "" : `${(ms / 1_000).toFixed(ms < 1_000 ? 2 : 1)} s`);

function table(results: readonly DrillResult[]): string {
  const head = `By \`npm run drills -- --requests ${requests} --seed ${seed}\` on ${new Date().toISOString().slice(0, 10)}:\n
| drill | acknowledged | answered 503 | connection refused or lost | lost | doubled | invented | longest time without an acknowledgement | \`verify\` | |
|---|---|---|---|---|---|---|---|---|---|\n`;
  const rows = results.map((result) =>
    [
      ...[result.drill, count(result.acknowledged), count(result.errors), count(result.unanswered)],
      ...[`**${count(result.lost)}**`, `**${count(result.doubled)}**`, count(result.invented), seconds(result.gapMs)],
      ...[result.isVerified ? "holds" : "**found something**", result.note],
    ].join(" | "),
  );
  return `${head}${rows.map((row) => `| ${row} |\n`).join("")}`;
}

const results: DrillResult[] = [];
for (const name of names) {
  for (const result of (await DRILLS[name]?.()) ?? []) {
    results.push(result);
    say(`${result.drill}: ${JSON.stringify({ ...result, drill: undefined, faults: undefined })}`);
    for (const fault of result.faults) say(`  ${fault}`);
  }
}
const text = table(results);
say(`\n${text}`);
if (values.report !== undefined) {
  const page = readFileSync(values.report, "utf8");
  if (!PLACE.test(page)) throw new Error(`${values.report} has no place for the figures`);
  writeFileSync(values.report, page.replace(PLACE, text));
}
process.exitCode = results.every(({ faults }) => faults.length === 0) ? 0 : 1;
