import { expect, test } from "vitest";
import { readCommandLine } from "../../src/commands/command-line.ts";
import { COMMANDS } from "../../src/commands/command-table.ts";
import { UsageError } from "../../src/config.ts";
import { documentPages, shellBlocks, spansOf } from "../support/documents/read-documents.ts";
import { pointkeeperArgs, shellCommands } from "../support/documents/shell-words.ts";

/** A sentence may name a command without what it needs: `pointkeeper backup`, `pointkeeper credentials`. */
const INCOMPLETE =
  /^(?:Missing required argument|Required option|Expected a subcommand|Option '--[a-z]+ <[\w ]+>' argument missing)/;

/** Text in backquotes that begins with the program's name and is no command line. */
const NO_COMMANDS = ["pointkeeper all", "pointkeeper api", "pointkeeper worker", "pointkeeper command"]; // names of connections

const refusal = (args: readonly string[]): string => {
  try {
    readCommandLine(COMMANDS, args);
    return "";
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
};

test("every pointkeeper command in a block of a document is one that the program takes", () => {
  const commands = documentPages().flatMap((page) =>
    shellBlocks(page).flatMap(({ code }) =>
      shellCommands(code).flatMap((words) => {
        const args = pointkeeperArgs(words);
        return args === undefined ? [] : [{ page, args }];
      }),
    ),
  );
  expect(commands.length).toBeGreaterThan(80);
  const refused = commands
    .map(({ page, args }) => `${page}: ${args.join(" ")}: ${refusal(args)}`)
    .filter((line) => !line.endsWith(": "));
  expect(refused).toEqual([]);
});

test("every pointkeeper command in a sentence of a document is one that the program takes", () => {
  const spans = documentPages()
    .flatMap(spansOf)
    .filter(({ code }) => /^(?:npx )?pointkeeper [a-z]/.test(code) && !code.includes("["));
  expect(spans.length).toBeGreaterThan(100);
  const refused = spans.flatMap(({ page, code }) => {
    if (NO_COMMANDS.includes(code)) return [];
    const [words = []] = shellCommands(code.replaceAll(/<[\w .|-]+>|\.\.\./g, "X"));
    const message = refusal(pointkeeperArgs(words) ?? []);
    return message === "" || INCOMPLETE.test(message) ? [] : [`${page}: ${code}: ${message}`];
  });
  expect(refused).toEqual([]);
});
