import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "./command-table.ts";
import { completionScript } from "./completion.ts";

const bash = completionScript("bash", COMMANDS);

/** What a real bash offers for the last word of a line. */
function offered(line: string): string[] {
  const words = line.split(" ");
  const script = `${bash}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}
_pointkeeper
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const said = execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
  return said.split("\n").filter((word) => word !== "");
}

describe("the completion of bash", () => {
  test.each([
    ["pointkeeper we", ["webhooks"]],
    ["pointkeeper webhooks re", ["replay", "receivers", "remove-receiver"]],
    ["pointkeeper webhooks replay --", ["--json", "--help"]],
    ["pointkeeper start --role ", ["all", "api", "worker"]],
    ["pointkeeper start --role w", ["worker"]],
    ["pointkeeper tail de", ["deliveries"]],
    ["pointkeeper intake st", ["stuck"]],
    ["pointkeeper completion ", ["bash", "zsh", "fish"]],
    ["pointkeeper users list st", []],
  ])("%s", (line, expected) => {
    expect(offered(line)).toEqual(expected);
  });

  test("offers every command and group, and files where one is taken", () => {
    const groups = new Set(COMMANDS.map(({ name }) => name.split(" ")[0]));
    expect(new Set(offered("pointkeeper "))).toEqual(new Set([...groups, "help"]));
    expect(offered("pointkeeper reconcile tsc")).toEqual(["tsconfig.json"]);
  });

  test("is a script that bash can read", () => {
    expect(execFileSync("bash", ["-n"], { input: bash, encoding: "utf8" })).toBe("");
  });
});

describe.each(["zsh", "fish"] as const)("the completion of %s", (shell) => {
  const script = completionScript(shell, COMMANDS);

  test("has every word and option of the table, and closes every quote", () => {
    for (const { name, options = {} } of COMMANDS) {
      expect(script).toContain(`'${name}'`);
      for (const option of Object.keys(options))
        expect(script).toContain(shell === "fish" ? `-l ${option}` : `'--${option}:`);
    }
    const outside = script.replaceAll("'\\''", "").split("'");
    expect(outside.length % 2).toBe(1);
  });
});
