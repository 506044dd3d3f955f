import { describe, expect, test } from "vitest";
import { UsageError } from "../config.ts";
import { helpText, readCommandLine, usageOf } from "./command-line.ts";
import { COMMANDS } from "./command-table.ts";

const read = (line: string) => readCommandLine(COMMANDS, line.split(" "));
const refusal = (line: string): string => {
  try {
    return `accepted as ${JSON.stringify(read(line))}`;
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : "";
  }
};

/** Arguments that the command takes, from its entry of the table. */
function whole({ name, operands = [], options = {} }: (typeof COMMANDS)[number]): string {
  const values = Object.entries(options).flatMap(([option, { value, choices }]) =>
    value === undefined ? [`--${option}`] : [`--${option}`, choices?.[0] ?? "value"],
  );
  return [name, ...operands.map((_, n) => `operand-${n}`), ...values].join(" ");
}

function isOf(name: string, group: string): boolean {
  return name === group || name.startsWith(`${group} `);
}

describe("every command of the table", () => {
  test.each(COMMANDS.map((command) => [command.name, command] as const))("%s", (_name, command) => {
    expect(read(whole(command))).toMatchObject({ kind: "run", command });
    // what stands alone beside a group, as "intake", is shown with it
    const shown = command.name.includes(" ") ? [command] : COMMANDS.filter(({ name }) => isOf(name, command.name));
    for (const line of [`${whole(command)} --help`, `${command.name} --help`, `${command.name} -h x --never`])
      expect(read(line)).toEqual({ kind: "help", commands: shown });
    expect(helpText([command], COMMANDS)).toContain(`Usage: ${usageOf(command)}`);
    for (const [extra, says] of [
      ["stray", 'Unknown argument "stray"'],
      ["--never", "Unknown option '--never'"],
    ]) {
      const refused = refusal(`${whole(command)} ${extra}`);
      expect(refused).toContain(says);
      expect(refused).toContain(usageOf(command));
      expect(refused).not.toContain("\n");
    }
    if ((command.operands ?? []).length > 0) expect(refusal(command.name)).toMatch(/^Missing/);
  });
});

describe("a command line", () => {
  test("of a group tells what can be done", () => {
    const group = COMMANDS.filter(({ name }) => name.startsWith("figures "));
    expect(read("figures --help")).toEqual({ kind: "help", commands: group });
    expect(read("help figures")).toEqual({ kind: "help", commands: group });
    expect(refusal("figures")).toMatch(/^Expected a subcommand: pointkeeper figures verify, rebuild\./);
    expect(refusal("figures mend")).toMatch(/^There is no "figures mend"\. Expected a subcommand/);
  });

  test("of no command is a usage error, and --help behind -- is an argument", () => {
    expect(refusal("rebuild")).toMatch(/^There is no command "rebuild"/);
    expect(refusal("rebuild --help")).toMatch(/^There is no command "rebuild"/);
    expect(read("privacy data -- --help")).toMatchObject({ kind: "run", given: { operands: ["--help"] } });
  });

  test("that is empty, help or a version acts on nothing", () => {
    expect(readCommandLine(COMMANDS, [])).toEqual({ kind: "help", commands: COMMANDS });
    expect(read("--help")).toEqual({ kind: "help", commands: COMMANDS });
    expect([read("--version"), read("version")]).toEqual([{ kind: "version" }, { kind: "version" }]);
  });

  test("says which value was expected, and which is missing", () => {
    expect(refusal("start --role king")).toMatch(/^--role must be all, api or worker, not "king"/);
    expect(refusal("credentials create")).toMatch(/^--name is missing/);
    expect(refusal("start --dev=yes")).toContain("does not take an argument");
    expect(refusal("openapi --write")).toContain("argument missing");
  });
});
