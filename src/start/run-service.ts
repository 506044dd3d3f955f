import { parseArgs } from "node:util";
import { ConfigError, readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import type { MadeCredential } from "../shop/ensure-store-credential.ts";
import type { KeptSetupCode } from "../staff/keep-setup-code.ts";
import { failureLine } from "./failure-line.ts";
import { type RunningService, startService } from "./start-service.ts";

/** npm passes the terminal's signal on to a process that has had it already: what comes so soon after the first is its echo. */
const ECHO_MS = 500;

/** `pointkeeper start [--role all|api|worker] [--dev]`: runs the service until a signal (program.md 8). A failed start exits with 1. */
export async function runService(args: readonly string[]): Promise<void> {
  try {
    const options = readOptions(args);
    const config = readConfig(undefined, {
      pretty: options.dev,
      ...(options.role === undefined ? {} : { role: options.role }),
    });
    const log = createLog({ level: config.logLevel, pretty: config.prettyLogs });
    const starting = startService(config, log, (made) => void process.stdout.write(credentialText(made)));
    stopOnSignal(starting);
    const service = await starting;
    log.info({ role: config.role, url: service.url }, "started");
    process.stdout.write(greeting(service));
  } catch (error) {
    process.stderr.write(`${failureLine(error)}\n`);
    process.exitCode = 1;
  }
}

function readOptions(args: readonly string[]): { role?: string; dev: boolean } {
  try {
    const { values } = parseArgs({ args: [...args], options: { role: { type: "string" }, dev: { type: "boolean" } } });
    return { dev: values.dev ?? false, ...(values.role === undefined ? {} : { role: values.role }) };
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

function stopOnSignal(starting: Promise<RunningService>): void {
  let firstMs: number | undefined;
  const onSignal = async () => {
    if (firstMs !== undefined) {
      if (performance.now() - firstMs > ECHO_MS) process.exit(1);
      return;
    }
    firstMs = performance.now();
    try {
      const service = await starting;
      await service.stop();
      process.exit(0);
    } catch (error) {
      process.stderr.write(`${failureLine(error)}\n`);
      process.exit(1);
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

function greeting({ url, setupCode }: RunningService): string {
  if (url === undefined) return "\nPointkeeper's worker is running.\n\n";
  return `\nPointkeeper is running at ${url} (reference: ${url}/docs)\n\n${setupText(url, setupCode)}`;
}

function setupText(url: string, setupCode: KeptSetupCode | null): string {
  if (setupCode === null) return "";
  const { code, file } = setupCode;
  return `Nobody can sign in yet. Make the first owner at ${url}/admin with this code:

  setup code  ${code}
${file === null ? "" : `\nUntil then it stands in ${file} too.\n`}
`;
}

function credentialText(made: MadeCredential): string {
  if (made.isGiven) return "";
  return `
The store's credential was made. It is shown this once; keep the secret safe:

  key     ${made.key}
  secret  ${made.secret}

Requests carry both: curl -u ${made.key}:${made.secret} ...
`;
}
