import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { drillUpgrade, type UpgradeResult } from "./upgrade.ts";

const USAGE = `npm run drill:upgrade -- --from <tag or commit> [--requests 500] [--seed 1] [--report docs/upgrade.md]

An older version, taken out of git and installed in a temporary folder, is upgraded to this one under load: its nodes serve, this version
migrates their database, nodes of both serve beside each other, one goes back, all are new. Needs git, tar, npm and its registry.
  --requests <n>   that are acknowledged in each step
  --report <file>  writes the table between the lines <!-- upgrade --> and <!-- /upgrade --> of a file`;
const PLACE = /(?<=<!-- upgrade -->\n)[\s\S]*?(?=<!-- \/upgrade -->)/;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    from: { type: "string" },
    requests: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    report: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help === true || values.from === undefined) {
  say(USAGE);
  process.exit(values.help === true ? 0 : 2);
}

function numberOf(name: "requests" | "seed", max: number): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new Error(`--${name} must be a whole number from 1 to ${max}\n\n${USAGE}`);
}

function table({ older, schema, steps, ...result }: UpgradeResult): string {
  const head = `From ${older.version} (commit ${older.commit}, migration ${older.schema}) to migration ${schema}, \
by \`npm run drill:upgrade -- --from ${values.from} --requests ${values.requests} --seed ${values.seed}\` on \
${new Date().toISOString().slice(0, 10)}:\n
| step | took | acknowledged | answered 503 | connection refused or lost |
|---|---|---|---|---|\n`;
  const rows = steps.map(
    ({ step, tookMs, acknowledged, errors, unanswered }) =>
      `| ${step} | ${(tookMs / 1_000).toFixed(1)} s | ${acknowledged.toLocaleString("en")} | ${errors} | ${unanswered} |\n`,
  );
  const back = result.canGoBack
    ? "started again on the migrated database"
    : "refused to start on the migrated database";
  return `${head}${rows.join("")}
Lost **${result.lost}**, doubled **${result.doubled}**, invented **${result.invented}**; the longest time without an acknowledgement was \
${(result.gapMs / 1_000).toFixed(2)} s; \`verify\` of this version ${result.isVerified ? "holds" : "**found something**"}. The older \
version ${back}.\n`;
}

const result = await drillUpgrade({
  from: values.from,
  requests: numberOf("requests", 1_000_000),
  seed: numberOf("seed", 1_000_000),
  root: tmpdir(), // a disk, which is what a service writes to
  print: say,
});
const text = table(result);
say(`\n${text}`);
for (const fault of result.faults) say(fault);
if (values.report !== undefined) {
  const page = readFileSync(values.report, "utf8");
  if (!PLACE.test(page)) throw new Error(`${values.report} has no place for the figures`);
  writeFileSync(values.report, page.replace(PLACE, text));
}
process.exitCode = result.faults.length === 0 ? 0 : 1;
