import { setTimeout as delay } from "node:timers/promises";
import project from "../../package.json" with { type: "json" };
import { type Config, readConfig } from "../config.ts";
import { defaultAddress } from "../config-groups.ts";
import type { MadeCredential } from "../credentials/ensure-store-credential.ts";
import { isDatabaseAway, isLoginRefused } from "../db/database-away.ts";
import type { Log } from "../deps.ts";
import { createInstruments, type Instruments } from "../instruments/instruments.ts";
import { killIfHanging } from "../kill-if-hanging.ts";
import { createLog } from "../log.ts";
import type { WrittenSetupCode } from "../staff/write-setup-code.ts";
import { exitCodeOf, failureLine } from "./failure-line.ts";
import { showFirstCredential } from "./show-first-credential.ts";
import type { RunningService } from "./start-service.ts";

/** npm repeats a signal of the terminal that the process has already received. A signal this soon after the first is such a repetition. */
const ECHO_MS = 500;
const RETRY_MS = 1_000;

/**
 * `pointkeeper start [--role all|api|worker] [--dev]`: runs the service until a signal (program.md 8). Returns once it runs; throws if it cannot
 * start. SIGTERM drains first (POINTKEEPER_DRAIN_SECONDS); SIGINT, the Ctrl-C of a person, does not.
 */
export async function runService(options: ReadonlyMap<string, string>): Promise<number> {
  const role = options.get("role");
  const config = readConfig(undefined, { pretty: options.has("dev"), ...(role === undefined ? {} : { role }) });
  const instruments = createInstruments();
  const log = createLog({ level: config.logLevel, pretty: config.prettyLogs, lines: instruments.logLines });
  const { version } = project;
  log.info({ version, node: process.version, pid: process.pid, role: config.role }, "starting");
  for (const { name, nearest } of config.unknownSettings)
    log.warn(
      { setting: name, ...(nearest === undefined ? {} : { nearest }) },
      "unknown setting: misspelt, or from another version?",
    );
  const isTerminal = process.stdout.isTTY === true;
  const { startService } = await import("./start-service.ts"); // loaded late, as it is most of the code: a wrong setting is reported sooner
  const tell = (made: MadeCredential) => showFirstCredential(made, { config, log, isTerminal });
  const starting = untilDatabaseStays(config, log, () => startService(config, log, tell, { instruments }));
  const startedMs = performance.now();
  stopOnSignal(starting, log, async (signal, service) => {
    const drainMs = signal === "SIGTERM" ? config.drainMs : 0;
    const stoppingMs = performance.now();
    log.info({ signal, drainSeconds: drainMs / 1_000 }, "stopping");
    await service.stop(drainMs);
    log.close();
    const tookSeconds = secondsSince(stoppingMs);
    log.info({ tookSeconds, ranSeconds: secondsSince(startedMs), requests: countAll(instruments) }, "stopped");
  });
  const service = await starting;
  const { url, metricsUrl } = service;
  log.info({ role: config.role, url, metricsUrl, tookSeconds: secondsSince(startedMs) }, "started");
  process.stdout.write(config.role === "worker" ? workerGreeting(service) : greeting(service, config));
  return 0;
}

/**
 * Starts again if an external database closes the connections during the start, as in a failover, until POINTKEEPER_DATABASE_WAIT_SECONDS after the
 * first attempt. The next attempt finds what the earlier one has written.
 */
async function untilDatabaseStays<T>(config: Config, log: Log, start: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + (config.databaseUrl === undefined ? 0 : config.databaseWaitMs);
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!isDatabaseAway(error) || isLoginRefused(error) || performance.now() + RETRY_MS > giveUpAt) throw error;
      log.warn({ error }, "the database was lost during the start: starting again");
      await delay(RETRY_MS);
    }
  }
}

function secondsSince(ms: number): number {
  return Math.round((performance.now() - ms) / 100) / 10;
}

/** Returns the number of answered requests. */
function countAll({ routes }: Instruments): number {
  return [...routes.values()].reduce((sum, { seconds }) => sum + seconds.counts.reduce((a, b) => a + b, 0), 0);
}

function stopOnSignal(
  starting: Promise<RunningService>,
  log: Log,
  stop: (signal: NodeJS.Signals, service: RunningService) => Promise<void>,
): void {
  let firstMs: number | undefined;
  const end = async (code: number, patienceMs?: number) => {
    await killIfHanging((says) => log.error({}, says), patienceMs);
    process.exit(code);
  };
  const onSignal = async (signal: NodeJS.Signals) => {
    if (firstMs !== undefined) {
      if (performance.now() - firstMs > ECHO_MS) await end(1, ECHO_MS);
      return;
    }
    firstMs = performance.now();
    try {
      await stop(signal, await starting);
      await end(0);
    } catch (error) {
      process.stderr.write(`${failureLine(error)}\n`);
      await end(exitCodeOf(error));
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

function greeting({ url = "", setupCode }: RunningService, { publicUrl, host, port }: Config): string {
  // behind a proxy a browser must use the public address, for which the cookies are set
  const isGiven = publicUrl !== defaultAddress(host, port);
  return `\nPointkeeper is running at ${url} (reference: ${url}/docs)\n\n${setupText(isGiven ? publicUrl : url, setupCode)}`;
}

function setupText(url: string, setupCode: WrittenSetupCode | null): string {
  if (setupCode === null) return "";
  const { code, file } = setupCode;
  return `Nobody can sign in yet. Create the first owner at ${url}/admin with this code:

  setup code  ${code}
${file === null ? "" : `\nUntil then it is also in ${file}.\n`}
`;
}

function workerGreeting({ url }: RunningService): string {
  return url === undefined
    ? "\nPointkeeper's worker is running.\n\n"
    : `\nPointkeeper's worker is running at ${url} (health: ${url}/ready)\n\n`;
}
