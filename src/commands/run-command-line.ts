import project from "../../package.json" with { type: "json" };
import { exitCodeOf, failureLine } from "../start/failure-line.ts";
import { helpText, readCommandLine } from "./command-line.ts";
import { COMMANDS } from "./command-table.ts";
import { InterruptedError } from "./until-interrupted.ts";

/** Runs one command line and sets the process's exit code (docs/operations.md). Never throws. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // A reader that closed the pipe, as in `help | head`, is not a failure; a command with work in progress notices it by itself.
  process.stdout.on("error", (error) => {
    if (Reflect.get(error, "code") === "EPIPE") return;
    process.stderr.write(`The output cannot be written: ${error.message}.\n`);
    process.exitCode = 1;
  });
  process.stderr.on("error", () => {}); // nothing is left to tell it to
  try {
    const asked = readCommandLine(COMMANDS, args);
    if (asked.kind === "run") process.exitCode = (await asked.command.run(asked.given)) || process.exitCode || 0;
    else process.stdout.write(asked.kind === "version" ? `${project.version}\n` : helpText(asked.commands, COMMANDS));
  } catch (error) {
    if (error instanceof InterruptedError) process.exit(error.exitCode); // its work may still wait for something
    process.stderr.write(`${failureLine(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
