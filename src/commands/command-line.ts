import { parseArgs } from "node:util";
import { UsageError } from "../config.ts";

/** An option `--<name>`; one without a `value` is a flag. */
export interface Option {
  /** How help shows its value: `<name>`, or the choices as `a|b`. */
  readonly value?: string;
  /** The only values it takes. */
  readonly choices?: readonly string[];
  /** Whether the command needs it. */
  readonly isRequired?: true;
}

/** One line of help and all that may be given with it: parsing, `--help` and the overview are made from it. */
export interface Command {
  /** `verify`, or a group and what to do: `credentials create`. */
  readonly name: string;
  /** Names of what follows, in order; one that ends with `?` may be absent. */
  readonly operands?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  readonly summary: string;
  /** Returns the process's exit code. Loads its own modules. */
  readonly run: (given: Given) => Promise<number>;
}

/** What was given to a command, known to fit it. */
export interface Given {
  /** The command's last word: `create` of `credentials create`. */
  readonly action: string;
  readonly operands: readonly string[];
  /** By name; a flag is there when it is set. */
  readonly options: ReadonlyMap<string, string>;
}

/** What a command line asks for. */
export type Asked =
  | { readonly kind: "run"; readonly command: Command; readonly given: Given }
  | { readonly kind: "help"; readonly commands: readonly Command[] }
  | { readonly kind: "version" };

/**
 * Reads a command line. `--help` (or `-h`) anywhere wins over everything else, so that it never acts.
 * @throws UsageError naming what does not fit, with the command's usage
 */
export function readCommandLine(commands: readonly Command[], args: readonly string[]): Asked {
  const [first = "help", ...rest] = args;
  if (["--version", "version"].includes(first) && rest.length === 0) return { kind: "version" };
  if (["--help", "-h"].includes(first)) return { kind: "help", commands };
  if (first === "help") return { kind: "help", commands: rest.length === 0 ? commands : named(commands, rest) };
  const group = named(commands, [first]);
  const ownArgs = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (ownArgs.includes("--help") || ownArgs.includes("-h")) {
    const one = group.filter((command) => command.name === `${first} ${rest[0]}`);
    return { kind: "help", commands: one.length === 0 ? group : one };
  }
  const sub = group.find((command) => command.name === `${first} ${rest[0]}`);
  const command = sub ?? group.find(({ name }) => name === first);
  if (command === undefined) throw noAction(group, first, rest[0]);
  return { kind: "run", command, given: readGiven(command, sub === undefined ? rest : rest.slice(1)) };
}

/** `pointkeeper credentials create --name <name> [--scopes ...]`. */
export function usageOf({ name, operands = [], options = {} }: Command): string {
  const shown = operands.map((operand) => (operand.endsWith("?") ? `[<${operand.slice(0, -1)}>]` : `<${operand}>`));
  const flags = Object.entries(options).map(([option, { value, isRequired }]) => {
    const flag = value === undefined ? `--${option}` : `--${option} ${value}`;
    return isRequired === true ? flag : `[${flag}]`;
  });
  return ["pointkeeper", name, ...shown, ...flags].join(" ");
}

/** The text of `--help`: of one command its usage and what it does, of several one line each. */
export function helpText(shown: readonly Command[], all: readonly Command[]): string {
  if (shown !== all && shown.length === 1)
    return shown.map((one) => `Usage: ${usageOf(one)}\n\n  ${one.summary}\n`).join("");
  const words = new Set(shown.map(({ name }) => name.split(" ")[0]));
  const group = words.size === 1 ? ` ${[...words].join("")}` : "";
  const lines = shown.map((one) => {
    const line = `  ${usageOf(one).slice("pointkeeper ".length)}`;
    return `${line.length < 46 ? line.padEnd(46) : `${line}\n${" ".repeat(46)}`}${one.summary}\n`;
  });
  return `Usage: pointkeeper${group} <command>\n\n${lines.join("")}\n${TAIL}`;
}

const TAIL = `  --help after any command shows how it is used and does nothing else; --version prints the version.

Settings come from the environment, exit codes are 0 done, 1 failed or does not hold, 2 wrong usage, 3 no store,
4 the database's schema is not this version's: see docs/operations.md.
`;

function named(commands: readonly Command[], [first = "", second]: readonly string[]): readonly Command[] {
  const exact = commands.filter(({ name }) => name === `${first} ${second}`);
  const found =
    exact.length > 0 ? exact : commands.filter(({ name }) => name === first || name.startsWith(`${first} `));
  if (found.length === 0) throw new UsageError(`There is no command "${first}": see pointkeeper help.`);
  return found;
}

function noAction(group: readonly Command[], first: string, second: string | undefined): UsageError {
  const actions = group.map(({ name }) => name.slice(first.length + 1)).join(", ");
  const unknown = second === undefined ? "" : `There is no "${first} ${second}". `;
  return new UsageError(
    `${unknown}Expected a subcommand: pointkeeper ${first} ${actions}. See pointkeeper ${first} --help.`,
  );
}

function readGiven(command: Command, args: readonly string[]): Given {
  const { operands = [], options = {} } = command;
  const parsed = parse(command, args);
  const [extra] = parsed.positionals.slice(operands.length);
  if (extra !== undefined) throw new UsageError(`Unknown argument "${extra}". ${hint(command)}`);
  const missing = operands[parsed.positionals.length];
  if (missing !== undefined && !missing.endsWith("?")) throw new UsageError(`Missing ${missing}: ${usageOf(command)}`);
  const absent = Object.keys(options).find((name) => options[name]?.isRequired && !(name in parsed.values));
  if (absent !== undefined) throw new UsageError(`--${absent} is missing. ${hint(command)}`);
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(parsed.values)) {
    const { choices } = options[name] ?? {};
    if (choices !== undefined && !choices.includes(String(value)))
      throw new UsageError(`--${name} must be ${inWords(choices)}, not "${value}". ${hint(command)}`);
    given.set(name, String(value));
  }
  return { action: command.name.split(" ").at(-1) ?? "", operands: parsed.positionals, options: given };
}

function parse(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options ?? {}).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    const [said = ""] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n|\.$/);
    throw new UsageError(`${said}. ${hint(command)}`);
  }
}

function hint(command: Command): string {
  return `Usage: ${usageOf(command)}`;
}

function inWords(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}
