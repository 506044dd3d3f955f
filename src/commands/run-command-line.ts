import { killIfHanging } from "../kill-if-hanging.ts";
import { exitCodeOf, failureDocument, failureLine } from "../start/failure-line.ts";
import { readCommandLine } from "./command-line.ts";
import { COMMANDS } from "./command-table.ts";
import { hasColours, jsonText, printNote } from "./output.ts";
import { saySlowPlaces } from "./say-slow-places.ts";
import { InterruptedError } from "./until-interrupted.ts";

const HELP_COLUMNS = 120;

/** Runs one command line and sets the process's exit code (docs/operations.md). Never throws. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // A reader that closed the pipe, as in `help | head`, is not a failure; a command with work in progress detects it itself.
  process.stdout.on("error", (error) => {
    if (Reflect.get(error, "code") === "EPIPE") return;
    process.stderr.write(`The output cannot be written: ${error.message}.\n`);
    process.exitCode = 1;
  });
  process.stderr.on("error", () => {}); // nobody is left to report it to
  const style = { columns: process.stdout.columns ?? HELP_COLUMNS, hasColours: hasColours() };
  // for a line that cannot be parsed: whether the word is anywhere in it
  let isJson = args.includes("--json");
  try {
    const asked = readCommandLine(COMMANDS, args, style);
    if (asked.kind === "text") return void process.stdout.write(asked.text);
    isJson = asked.given.isJson;
    const { command, given } = asked;
    const isStart = command.name === "start"; // it runs until a signal
    const code = await (isStart ? command.run(given) : saySlowPlaces(async () => command.run(given)));
    process.exitCode = code || process.exitCode || 0;
    if (isStart) return;
  } catch (error) {
    if (error instanceof InterruptedError) {
      await killIfHanging(sayHanging);
      process.exit(error.exitCode); // its work may still be waiting for something
    }
    printNote(isJson ? jsonText(failureDocument(error)) : failureLine(error));
    process.exitCode = exitCodeOf(error);
  }
  await killIfHanging(sayHanging);
}

const sayHanging = (says: string) => printNote(`${says.slice(0, 1).toUpperCase()}${says.slice(1)}.`);
