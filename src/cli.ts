import { failureLine } from "./start/failure-line.ts";

const HELP = `Usage: pointkeeper <command>

  start [--role all|api|worker] [--dev]       run the service
  verify                                      recompute every invariant of the ledger; exits 1 where one does not hold
  figures verify|rebuild                      compare the dashboard's figures with the ledger; make them anew from it
  jobs                                        show scheduled work: the last run of each, how long, how much, what failed
  credentials list
  credentials create --name <name> [--scopes read,write,webhooks,intake,admin]
  credentials revoke <key or name>
  credentials rotate-store-key                make the next API secret key; both open the API until the next command
  credentials confirm-store-key               the next API secret key signs from now on, the old one opens nothing
  users list
  users create --email <address> --name <name> --role owner|manager|support|viewer [--password-stdin]
  users disable|enable|remove-totp <e-mail>   end or give back the way into the dashboard; turn a lost second factor off
  users reset-password <e-mail> [--password-stdin]   another password; one is made and shown once unless it is given
  program show                                print the program as JSON
  program apply <file.json> [--dry-run]       set the program, whole or in part
  webhooks failed                             list deliveries that used up their resends
  webhooks replay <uid>|all                   send failed deliveries again
  webhooks rotate-secret <topic>              make a subscription's next secret; signatures carry both until it is confirmed
  webhooks confirm-secret <topic>             the next secret signs from now on
  intake                                      count what came in and is not processed, how old it is and how fast it goes
  intake stuck                                list what the platform told and could not be processed
  intake reprocess <uid>                      have it processed once more
  reconcile <file.jsonl>                      take an export of the platform's orders and customers: what was never delivered
  privacy requests|data|answered|redact|redact-shop   what platforms ask about personal data; alone it shows how
  openapi [--write <file>]                    print the OpenAPI document, or write it
  help

Settings come from the environment: see docs/operations.md.
`;

type Command = (args: readonly string[]) => Promise<number>;

/** Each command's modules are loaded when it is called. */
const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["start", start],
  ["verify", async () => (await import("./commands/verify.ts")).verify()],
  ["jobs", async () => (await import("./commands/jobs.ts")).jobs()],
  ["figures", async (args) => (await import("./commands/figures.ts")).figures(args)],
  ["credentials", async (args) => (await import("./commands/credentials.ts")).credentials(args)],
  ["users", async (args) => (await import("./commands/users.ts")).users(args)],
  ["program", async (args) => (await import("./commands/program.ts")).program(args)],
  ["reconcile", async (args) => (await import("./commands/reconcile.ts")).reconcile(args)],
  ["privacy", async (args) => (await import("./commands/privacy.ts")).privacy(args)],
  ["webhooks", async (args) => (await import("./commands/webhooks.ts")).webhooks(args)],
  ["intake", async (args) => (await import("./commands/intake.ts")).intake(args)],
  ["openapi", async (args) => (await import("./commands/openapi.ts")).openapi(args)],
]);

async function start(args: readonly string[]): Promise<number> {
  const { runService } = await import("./start/run-service.ts");
  await runService(args);
  return Number(process.exitCode ?? 0);
}

/** Runs one command and answers the process's exit code. */
async function runCommand(name: string, args: readonly string[]): Promise<number> {
  const command = COMMANDS.get(name);
  if (command !== undefined) return command(args);
  if (["help", "--help", "-h"].includes(name)) {
    process.stdout.write(HELP);
    return 0;
  }
  process.stderr.write(`There is no command "${name}".\n\n${HELP}`);
  return 1;
}

try {
  process.exitCode = await runCommand(process.argv[2] ?? "help", process.argv.slice(3));
} catch (error) {
  process.stderr.write(`${failureLine(error)}\n`);
  process.exitCode = 1;
}
