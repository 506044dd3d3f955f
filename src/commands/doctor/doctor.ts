import { reportSettings } from "../../config.ts";
import { isLoginRefused } from "../../db/database-away.ts";
import { EmbeddedServerError } from "../../db/embedded/embedded-server-error.ts";
import { NoStoreError } from "../../db/no-store-error.ts";
import { sqlState } from "../../db/pool.ts";
import { isTlsRefused } from "../../db/tls-refused.ts";
import { PoolerError } from "../../start/check-session.ts";
import { failureLine } from "../../start/failure-line.ts";
import type { Given } from "../command-line.ts";
import { inTone, print, type Shown, type Tone } from "../output.ts";
import { InterruptedError } from "../until-interrupted.ts";
import { withDeps } from "../with-deps.ts";
import type { Check, Finding } from "./check.ts";
import { DATABASE_CHECKS } from "./database-checks.ts";
import { MACHINE_CHECKS } from "./machine-checks.ts";
import { STORE_CHECKS } from "./store-checks.ts";

interface NamedFinding extends Finding {
  readonly name: string;
}

/** `pointkeeper doctor`: problems of settings, machine, database and store, and their solutions; returns 1 if a check fails. */
export async function doctor(given: Given): Promise<number> {
  const report = reportSettings();
  const findings = await runChecks(MACHINE_CHECKS, report);
  if (report.config === null) findings.push(notChecked("database", "the settings cannot be used"));
  else findings.push(...(await checkDatabase()));
  print(given, shownOf(findings));
  return findings.some(({ state }) => state === "fail") ? 1 : 0;
}

async function checkDatabase(): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  try {
    await withDeps(
      async (deps, database) => {
        await deps.db.query("select 1"); // an unavailable database is reported once, not by each check
        findings.push(...(await runChecks(DATABASE_CHECKS, { deps, database })));
        const isWrong = findings.some(({ name, state }) => name === "schema" && state === "fail");
        if (isWrong) findings.push(notChecked("store", "the schema is not this version's"));
        else findings.push(...(await runChecks(STORE_CHECKS, deps)));
      },
      undefined,
      "migration",
    );
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    findings.push(unopened(error));
  }
  return findings;
}

const TOO_MANY_CONNECTIONS = "53300";

/** The finding of a database that cannot be opened. */
function unopened(error: unknown): NamedFinding {
  if (error instanceof PoolerError) return { name: "pooler", state: "fail", says: error.found, todo: error.todo };
  return { name: "database", state: "fail", says: failureLine(error), todo: todoOf(error) };
}

function todoOf(error: unknown): string {
  if (error instanceof EmbeddedServerError)
    return 'See what its log says, and "Alert: database down" in docs/operations.md.';
  if (isTlsRefused(error))
    return "Turn TLS on at the server or renew its certificate, or correct the host, sslmode and sslrootcert of DATABASE_URL (docs/operations.md).";
  if (sqlState(error) === TOO_MANY_CONNECTIONS)
    return "End clients that keep connections open, or raise max_connections, or the connection limit of the role or the database.";
  if (isLoginRefused(error)) return "Correct the user, the password or the name of the database in DATABASE_URL.";
  if (error instanceof NoStoreError)
    return "Name the store with POINTKEEPER_DATA_DIR or DATABASE_URL, or create one with pointkeeper start.";
  return "Start it, or correct DATABASE_URL or POINTKEEPER_DATA_DIR.";
}

async function runChecks<Context>(checks: readonly Check<Context>[], context: Context): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const { name, run } of checks) {
    const finding = await runCheck(run, context);
    if (finding !== null) findings.push({ name, ...finding });
  }
  return findings;
}

async function runCheck<Context>(run: Check<Context>["run"], context: Context): Promise<Finding | null> {
  try {
    return await run(context);
  } catch (error) {
    return { state: "fail", says: `it could not be checked: ${failureLine(error)}` };
  }
}

function notChecked(name: string, why: string): NamedFinding {
  return { name, state: "fail", says: `not checked: ${why}` };
}

const TONES: Readonly<Record<Finding["state"], Tone>> = { ok: "good", warn: "warning", fail: "bad" };

function shownOf(findings: readonly NamedFinding[]): Shown {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  const counts = { ok: count("ok"), warn: count("warn"), fail: count("fail") };
  const text = findings.flatMap(({ name, state, says, todo }) => [
    `${inTone(TONES[state], state.padEnd(4))}  ${name.padEnd(width)}  ${says}`,
    ...(todo === undefined ? [] : [`${" ".repeat(width + 8)}-> ${todo}`]),
  ]);
  return {
    json: { ...counts, checks: findings },
    text: [...text, `${counts.ok} ok, ${counts.warn} to look at, ${counts.fail} wrong`],
  };
}
