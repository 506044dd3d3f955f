import { failureLine } from "./start/failure-line.ts";

const HELP = `Usage: pointkeeper <command>

  start [--role all|api|worker] [--dev]       run the service
  verify                                      recompute every invariant of the ledger; exits 1 where one does not hold
  jobs                                        show scheduled work: the last run of each, how long, how much, what failed
  credentials list
  credentials create --name <name> [--scopes read,write,webhooks,intake,admin]
  credentials revoke <key or name>
  credentials rotate-store-key                make the next API secret key; both open the API until the next command
  credentials confirm-store-key               the next API secret key signs from now on, the old one opens nothing
  program show                                print the program as JSON
  program apply <file.json> [--dry-run]       set the program, whole or in part
  webhooks failed                             list deliveries that used up their resends
  webhooks replay <uid>|all                   send failed deliveries again
  webhooks rotate-secret <topic>              make a subscription's next secret; signatures carry both until it is confirmed
  webhooks confirm-secret <topic>             the next secret signs from now on
  intake stuck                                list what the platform told and could not be processed
  intake reprocess <uid>                      have it processed once more
  reconcile <file.jsonl>                      take an export of the platform's orders and customers: what was never delivered
  privacy requests|data|answered|redact|redact-shop   what platforms ask about personal data; alone it shows how
  openapi [--write <file>]                    print the OpenAPI document, or write it
  help

Settings come from the environment: see docs/operations.md.
`;

/** Runs one command and answers the process's exit code. */
async function runCommand(name: string | undefined, args: readonly string[]): Promise<number> {
  switch (name) {
    case "start": {
      const { runService } = await import("./start/run-service.ts");
      await runService(args);
      return Number(process.exitCode ?? 0);
    }
    case "verify": {
      const { verify } = await import("./commands/verify.ts");
      return verify();
    }
    case "jobs": {
      const { jobs } = await import("./commands/jobs.ts");
      return jobs();
    }
    case "credentials": {
      const { credentials } = await import("./commands/credentials.ts");
      return credentials(args);
    }
    case "program": {
      const { program } = await import("./commands/program.ts");
      return program(args);
    }
    case "reconcile": {
      const { reconcile } = await import("./commands/reconcile.ts");
      return reconcile(args);
    }
    case "privacy": {
      const { privacy } = await import("./commands/privacy.ts");
      return privacy(args);
    }
    case "webhooks": {
      const { webhooks } = await import("./commands/webhooks.ts");
      return webhooks(args);
    }
    case "intake": {
      const { intake } = await import("./commands/intake.ts");
      return intake(args);
    }
    case "openapi": {
      const { openapi } = await import("./commands/openapi.ts");
      return openapi(args);
    }
    case undefined:
    case "help":
    case "--help":
    case "-h":
      process.stdout.write(HELP);
      return 0;
    default:
      process.stderr.write(`There is no command "${name}".\n\n${HELP}`);
      return 1;
  }
}

try {
  process.exitCode = await runCommand(process.argv[2], process.argv.slice(3));
} catch (error) {
  process.stderr.write(`${failureLine(error)}\n`);
  process.exitCode = 1;
}
