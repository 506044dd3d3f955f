import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { UsageError } from "../config.ts";
import { type Command, readCommandLine, usageOf } from "./command-line.ts";
import { COMMANDS } from "./command-table.ts";

const FOLDER = new URL("./", import.meta.url);

const read = (line: string) => readCommandLine(COMMANDS, line.split(" "));
const refusal = (line: string): string => {
  try {
    return `accepted as ${JSON.stringify(read(line))}`;
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : "";
  }
};
const textOf = (line: string): string => {
  const asked = read(line);
  return asked.kind === "text" ? asked.text : `it would run ${asked.command.name}`;
};

/** Returns arguments that fit the command's entry in the table. */
function whole({ name, operands = [], options = {} }: Command): string {
  const values = Object.entries(options).flatMap(([option, { value, choices }]) =>
    value === undefined ? [`--${option}`] : [`--${option}`, choices?.[0] ?? "value"],
  );
  return [name, ...operands.map((_, n) => `operand-${n}`), ...values].join(" ");
}

/** Returns an example's arguments as the shell would pass them. */
function argumentsOf(example: string): string {
  expect(example).toMatch(/^pointkeeper /);
  return example.slice("pointkeeper ".length).replace(/ [<>|].*$/, "");
}

describe("every command of the table", () => {
  test.each(COMMANDS.map((command) => [command.name, command] as const))("%s", (_name, command) => {
    expect(read(whole(command))).toMatchObject({ kind: "run", command, given: { isJson: false } });
    expect(read(`${whole(command)} --json`)).toMatchObject({ kind: "run", command, given: { isJson: true } });

    expect(command.summary).toMatch(/^[a-z].*[^.]$/);
    expect(command.examples).not.toEqual([]);
    for (const example of command.examples)
      expect(read(argumentsOf(example)), example).toMatchObject({ kind: "run", command });

    for (const line of [`${whole(command)} --help`, `${command.name} -h x --never`, `help ${command.name}`]) {
      const text = textOf(line);
      expect(text.startsWith(`Usage: ${usageOf(command)}`), text).toBe(true);
      expect(text.toLowerCase().replace(/\s+/g, " ")).toContain(command.summary.toLowerCase());
      for (const shown of [...command.examples, ...Object.keys(command.options ?? {}).map((name) => `--${name}`)])
        expect(text).toContain(shown);
    }

    for (const [extra, says] of [
      ["stray", "Too many arguments"],
      ["--never", "Unknown option '--never'"],
    ]) {
      const refused = refusal(`${whole(command)} ${extra}`);
      expect(refused).toContain(says);
      expect(refused).toContain(usageOf(command));
      expect(refused).not.toContain("\n");
    }
    const isNeedy = (command.operands ?? []).some((operand) => !operand.endsWith("?"));
    const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${command.name} `));
    if (isNeedy && !isGroup) expect(refusal(command.name)).toMatch(/^(Missing required argument|Required option)/);
  });

  test("prints by way of output.ts, so that --json holds for all of it", async () => {
    const files = (await readdir(FOLDER, { recursive: true })).filter(
      (file) => file.endsWith(".ts") && !/(\.test|^output|^run-command-line)\.ts$/.test(file),
    );
    const direct = files.filter((file) => readFileSync(new URL(file, FOLDER), "utf8").includes("process.stdout.write"));
    expect(direct).toEqual([]);
  });
});

describe("a command line", () => {
  test("of a group tells what can be done", () => {
    const text = textOf("figures --help");
    expect(textOf("help figures")).toBe(text);
    expect(text).toMatch(/figures verify +compare/);
    expect(text).toMatch(/figures rebuild +rebuild/);
    expect(refusal("figures")).toMatch(/^Expected a subcommand: pointkeeper figures verify, rebuild\./);
    expect(refusal("figures mend")).toMatch(/^Unknown command 'mend'\. Expected a subcommand/);
  });

  test("of no command is a usage error that knows what was meant; --help behind -- is an argument", () => {
    for (const line of ["rebuild", "rebuild --help", "help rebuild"])
      expect(refusal(line)).toMatch(/^Unknown command 'rebuild'\. Did you mean pointkeeper figures rebuild\?/);
    expect(refusal("verfy")).toContain("Did you mean verify?");
    expect(read("privacy data -- --help")).toMatchObject({ kind: "run", given: { operands: ["--help"] } });
  });

  test("that is empty, help or a version acts on nothing", () => {
    const overview = readCommandLine(COMMANDS, []);
    expect([read("--help"), read("help"), read("-h")]).toEqual([overview, overview, overview]);
    const text = overview.kind === "text" ? overview.text : "";
    for (const { name } of COMMANDS) expect(text).toContain(`\n  ${name} `);
    for (const line of ["--version", "-V", "version"]) expect(textOf(line)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("says which value was expected, and which is missing", () => {
    expect(refusal("start --role king")).toMatch(/'king' is invalid\. Expected all, api or worker\./);
    expect(refusal("credentials create")).toMatch(/^Required option '--name <name>' not specified/);
    expect(refusal("start --dev=yes")).toContain("Unknown option '--dev=yes'");
    expect(refusal("openapi --write")).toContain("argument missing");
    expect(refusal("openapi --write --json")).toContain("Expected <file>");
  });

  test("has colours in its help only where the output shows them", () => {
    const coloured = readCommandLine(COMMANDS, ["jobs", "--help"], { columns: 80, hasColours: true });
    expect(JSON.stringify(coloured)).toContain("\\u001b[1mUsage:");
    expect(textOf("jobs --help")).not.toContain("\u001b");
  });
});
