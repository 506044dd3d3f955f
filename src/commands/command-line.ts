import { Argument, CommanderError, InvalidArgumentError, Command as Parser, Option as ParserOption } from "commander";
import project from "../../package.json" with { type: "json" };
import { UsageError } from "../config.ts";

/** An option `--<name>`; one without a `value` is a flag. */
export interface Option {
  /** How help shows its value: `<name>`, or the choices as `a|b`. */
  readonly value?: string;
  /** The only accepted values. */
  readonly choices?: readonly string[];
  readonly isRequired?: true;
  /** Its description for `--help` and completion. */
  readonly about: string;
}

/** The definition of a command, from which parsing, `--help`, completion and docs/commands.md are made. */
export interface Command {
  /** `verify`, or a group and an action: `credentials create`. */
  readonly name: string;
  /** The names of its operands, in order; one that ends with `?` is optional. */
  readonly operands?: readonly string[];
  /** Its own options; every command also has `--json` and `--help`. */
  readonly options?: Readonly<Record<string, Option>>;
  readonly summary: string;
  /** Complete command lines, beginning with `pointkeeper`; at least one. */
  readonly examples: readonly string[];
  /** Loads its own modules and returns the process's exit code. */
  readonly run: (given: Given) => Promise<number>;
}

/** The parsed arguments of a command, already validated. */
export interface Given {
  /** The command's last word: `create` of `credentials create`. */
  readonly action: string;
  readonly operands: readonly string[];
  /** By name; a flag is present if it is set. `json` is not included. */
  readonly options: ReadonlyMap<string, string>;
  /** Whether to print the result as JSON. */
  readonly isJson: boolean;
}

/** The meaning of a command line. */
export type ParsedCommand =
  | { readonly kind: "run"; readonly command: Command; readonly given: Given }
  | { readonly kind: "text"; readonly text: string };

/** The width and colours of help. */
export interface HelpStyle {
  readonly columns: number;
  readonly hasColours: boolean;
}

const PLAIN: HelpStyle = { columns: 120, hasColours: false };
const HELP_FLAGS = ["--help", "-h"];
const JSON_OPTION: Option = { about: "print the result, or the error, as JSON" };

/**
 * Parses a command line. `--help` (or `-h`) anywhere takes precedence over everything else, so that it never runs a command.
 * @throws UsageError naming what is wrong, with the command's usage
 */
export function readCommandLine(commands: readonly Command[], args: readonly string[], style = PLAIN): ParsedCommand {
  if (args.length === 1 && ["version", "--version", "-V"].includes(args[0] ?? ""))
    return { kind: "text", text: `${project.version}\n` };
  const found: { text: string; run: ParsedCommand | null } = { text: "", run: null };
  const isHelp = asksForHelp(args);
  const tree = createParser(commands, isHelp ? style : null, {
    write: (text) => {
      found.text += text;
    },
    run: (command, given) => {
      found.run = { kind: "run", command, given };
    },
  });
  try {
    tree.root.parse(isHelp ? helpArgs(tree.root, args) : [...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { kind: "text", text: found.text };
    throw usageError(tree, error, args[0] === "help" ? args.slice(1) : args);
  }
  if (found.run === null) throw new Error("a command line was neither run nor refused");
  return found.run;
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

/** Returns the options of a command, including those of every command. */
export function optionsOf({ options = {} }: Command): Readonly<Record<string, Option>> {
  return { ...options, json: JSON_OPTION };
}

/** Collects the parser's output and results. */
interface Sink {
  readonly write: (text: string) => void;
  readonly run: (command: Command, given: Given) => void;
}

/** The commands as a tree of parsers: groups and, in `entries`, the commands of the table. */
interface ParserTree {
  readonly root: Parser;
  readonly entries: ReadonlyMap<Parser, Command>;
}

/** `style` null: no help is formatted. */
function createParser(commands: readonly Command[], style: HelpStyle | null, sink: Sink): ParserTree {
  const entries = new Map<Parser, Command>();
  const root: Parser = new Parser("pointkeeper")
    .exitOverride()
    .helpCommand(false)
    .enablePositionalOptions()
    .helpOption("-h, --help", "show how a command is used, and do nothing else")
    .configureOutput({
      writeOut: sink.write,
      writeErr: () => {},
      getOutHelpWidth: () => style?.columns ?? PLAIN.columns,
      getOutHasColors: () => style?.hasColours ?? PLAIN.hasColours,
    })
    .configureHelp({
      // the overview lists every command, not only the groups; a misspelt word is compared with the possible words at its place
      visibleCommands: (parser): Parser[] => {
        if (style === null) return [...parser.commands];
        return parser === root ? [...entries.keys()] : withOwn(parser, entries);
      },
      subcommandTerm: (parser) => termOf(entries.get(parser)),
      styleTitle: (text) => `\u001b[1m${text}\u001b[22m`,
      styleSubcommandText: (text) => `\u001b[36m${text}\u001b[39m`,
    });
  for (const command of commands) {
    const words = command.name.split(" ");
    const parser = words.reduce((parent, word) => childOf(parent, word) ?? addGroup(parent, word), root);
    entries.set(parser, command);
    fillParser(parser, command, sink);
  }
  root.usage("<command>").addHelpText("after", TAIL);
  return { root, entries };
}

function addGroup(parent: Parser, word: string): Parser {
  return parent.command(word).usage("<command>").helpCommand(false).enablePositionalOptions();
}

/** Returns the entries of a group's help: its commands, and the command with the group's own name, such as `intake`. */
function withOwn(parser: Parser, entries: ReadonlyMap<Parser, Command>): Parser[] {
  if (parser.commands.length === 0) return [];
  return entries.has(parser) ? [parser, ...parser.commands] : [...parser.commands];
}

/** Returns a command as the overview shows it: without its options. */
function termOf(command: Command | undefined): string {
  return command === undefined ? "" : usageOf({ ...command, options: {} }).slice("pointkeeper ".length);
}

const TAIL = `
--json after any command prints its result, and errors, as JSON. Settings come from the environment: see docs/operations.md.
Exit codes: 0 done, 1 failed or does not hold, 2 wrong usage, 3 database away, 4 not found, 5 the database's schema is
not this version's.`;

function fillParser(parser: Parser, command: Command, sink: Sink): void {
  parser
    .description(`${sentence(command.summary)}.`)
    .summary(command.summary)
    .allowExcessArguments(false);
  parser.usage(`${usageOf(command).slice(`pointkeeper ${command.name}`.length)} [--json]`.trim());
  parser.addHelpText("after", `\nExamples:\n${command.examples.map((example) => `  ${example}`).join("\n")}`);
  for (const operand of command.operands ?? [])
    parser.addArgument(new Argument(operand.endsWith("?") ? `[${operand.slice(0, -1)}]` : `<${operand}>`));
  for (const [name, option] of Object.entries(optionsOf(command))) parser.addOption(parserOption(name, option));
  parser.action(() => {
    const values = parser.options.flatMap((option) => {
      const value: unknown = parser.getOptionValue(option.attributeName());
      return value === undefined ? [] : [[option.name(), String(value)] as const];
    });
    const options = new Map(values.filter(([name]) => name !== "json"));
    const isJson = parser.getOptionValue("json") === true || parser.parent?.getOptionValue("json") === true;
    sink.run(command, { action: parser.name(), operands: [...parser.args], options, isJson });
  });
}

function parserOption(name: string, { value, choices, isRequired, about }: Option): ParserOption {
  if (value === undefined) return new ParserOption(`--${name}`, about);
  const flags = `--${name} ${value.startsWith("<") ? value : `<${value}>`}`;
  const option = new ParserOption(flags, about).makeOptionMandatory(isRequired === true);
  return option.argParser((text: string) => {
    if (text.startsWith("--")) throw new InvalidArgumentError(`Expected ${value}.`);
    if (choices !== undefined && !choices.includes(text))
      throw new InvalidArgumentError(`Expected ${inWords(choices)}.`);
    return text;
  });
}

function asksForHelp(args: readonly string[]): boolean {
  return args.length === 0 || args[0] === "help" || ownOf(args).some((arg) => HELP_FLAGS.includes(arg));
}

/** Returns the arguments before `--`. */
function ownOf(args: readonly string[]): readonly string[] {
  return args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
}

/** If help is requested, returns only the command's words and `--help`, so that nothing else on the line is parsed. */
function helpArgs(root: Parser, args: readonly string[]): string[] {
  const own = args[0] === "help" ? ownOf(args).slice(1) : ownOf(args);
  const words = pathOf(root, own);
  const [first] = own;
  // an unknown command is refused, not explained
  if (words.length === 0 && first !== undefined && !first.startsWith("-")) return [first];
  return [...words, "--help"];
}

/** Returns the leading words that name a command or a group. */
function pathOf(root: Parser, args: readonly string[]): string[] {
  const [first, ...rest] = args;
  const child = first === undefined ? undefined : childOf(root, first);
  return child === undefined ? [] : [child.name(), ...pathOf(child, rest)];
}

function childOf(parser: Parser, word: string): Parser | undefined {
  return parser.commands.find((child) => child.name() === word);
}

function usageError({ root, entries }: ParserTree, error: CommanderError, args: readonly string[]): UsageError {
  const words = pathOf(root, args);
  const parser = words.reduce<Parser>((parent, word) => childOf(parent, word) ?? parent, root);
  const name = ["pointkeeper", ...words].join(" ");
  const said = sentence(error.message.replace(/^error: /, "").replaceAll("\n", " ")).replace(/\.$/, "");
  const entry = entries.get(parser);
  if (entry !== undefined) return new UsageError(`${said}. Usage: ${usageOf(entry)}`);
  if (parser === root) return new UsageError(`${meant(entries, said, args[0] ?? "")} See pointkeeper help.`);
  const unknown = error.code === "commander.help" ? "" : `${said}. `;
  const choices = parser.commands.map((child) => child.name()).join(", ");
  return new UsageError(`${unknown}Expected a subcommand: ${name} ${choices}. See ${name} --help.`);
}

/** Returns a suggestion: `pointkeeper replay` was probably meant to be `pointkeeper webhooks replay`. */
function meant(entries: ReadonlyMap<Parser, Command>, said: string, word: string): string {
  const names = [...entries.values()].map(({ name }) => name).filter((name) => name.endsWith(` ${word}`));
  if (names.length === 0) return `${said}.`;
  return `Unknown command '${word}'. Did you mean ${names.map((name) => `pointkeeper ${name}`).join(" or ")}?`;
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function inWords(choices: readonly string[]): string {
  return choices.length === 1 ? `${choices[0]}` : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}
