import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Command, type Option, usageOf } from "../src/commands/command-line.ts";
import { COMMANDS } from "../src/commands/command-table.ts";

export const COMMANDS_DOCUMENT = fileURLToPath(new URL("../docs/commands.md", import.meta.url));

const HEAD = `# Commands

<!-- Made from src/commands/command-table.ts by npm run commands. -->

\`npx pointkeeper <command>\`, or \`npm run -s pointkeeper <command>\`. Every command also takes \`--json\`, which prints its result and its
errors as JSON, and \`--help\`. [operations.md](operations.md#commands) has the exit codes and what holds for all of them.
`;

/** Returns docs/commands.md: every command of the table with its options and examples. */
export function commandsDocument(commands: readonly Command[]): string {
  const groups = Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "");
  const overview = [...groups].map(([name, own]) => `| [${name}](#${name}) | ${whatOf(own)} |`);
  const sections = [...groups].map(([name, own]) => `## ${name}\n\n${own.map(entryOf).join("\n")}`);
  return `${HEAD}\n| command | |\n|---|---|\n${overview.join("\n")}\n\n${sections.join("\n")}`;
}

/**
 * Returns the description of a command, or the commands of a group. The description of a command that also has subcommands, like `intake`, comes
 * first.
 */
function whatOf(own: readonly Command[]): string {
  const alone = own.filter(({ name }) => !name.includes(" ")).map(({ summary }) => summary);
  const words = own.flatMap(({ name }) => name.split(" ").slice(1));
  return [...alone, words.join(", ")].filter((part) => part !== "").join("; ");
}

function entryOf(command: Command): string {
  const options = Object.entries(command.options ?? {});
  const about = options.length === 0 ? "" : `\n${options.map(optionLine).join("")}`;
  return `\`${usageOf(command)}\`: ${command.summary}.\n${about}\n\`\`\`sh\n${command.examples.join("\n")}\n\`\`\`\n`;
}

function optionLine([name, { value, about }]: readonly [string, Option]): string {
  return `- \`--${name}${value === undefined ? "" : ` ${value}`}\`: ${about}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(COMMANDS_DOCUMENT, commandsDocument(COMMANDS));
