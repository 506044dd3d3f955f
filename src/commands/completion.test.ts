import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "./command-table.ts";
import { completionScript } from "./completion.ts";

const bash = completionScript("bash", COMMANDS);

/** Returns the completions of a real bash for the last word of a line. */
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
    for (const line of ["reconcile", "restore", "backup verify", "restore /backups --identity", "verify --against"])
      expect(offered(`pointkeeper ${line} tsc`), line).toEqual(["tsconfig.json"]);
    expect(offered("pointkeeper users list tsc")).toEqual([]);
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

const isInstalled = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

/** Returns the completions of an interactive zsh on a separate terminal for TAB; every list of candidates is recorded where zsh receives it. */
function offeredByZsh(line: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "pointkeeper-zsh-"));
  const place = (name: string) => join(folder, name);
  const define = `compadd() { local -a o; builtin compadd -O o "$@"; (( $#o )) && print -rl -- $o >> ${place("offers")}; builtin compadd "$@" }`;
  writeFileSync(place("script"), completionScript("zsh", COMMANDS));
  writeFileSync(place("rc"), `autoload -Uz compinit && compinit -u -D\nsource ${place("script")}\n${define}\n`);
  const drive = `zmodload zsh/zpty
    drain() { local out; while zpty -r -t z out 2> /dev/null; do :; done }
    until_there() { for i in {1..200}; do [[ -s $1 ]] && break; sleep 0.05; drain; done }
    zpty z zsh -f -i
    zpty -w z "PS1=; source ${place("rc")}; print 1 > ${place("ready")}"
    until_there ${place("ready")}
    zpty -w -n z "${line}"$'\t'
    until_there ${place("offers")}
    for i in {1..6}; do sleep 0.05; drain; done
    zpty -d z`;
  try {
    execFileSync("zsh", ["-f", "-c", drive], { encoding: "utf8" });
    return [...new Set(readFileSync(place("offers"), "utf8").split("\n"))].filter((word) => word !== "").sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function offeredByFish(line: string): string[] {
  const home = mkdtempSync(join(tmpdir(), "pointkeeper-fish-"));
  try {
    const script = `${completionScript("fish", COMMANDS)}\ncomplete -C '${line}'`;
    const said = execFileSync("env", [`HOME=${home}`, "fish", "--no-config", "-c", script], { encoding: "utf8" });
    const words = said.split("\n").map((row) => row.split("\t")[0] ?? "");
    return words.filter((word) => word !== "").sort();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

describe.each([
  ["zsh", offeredByZsh],
  ["fish", offeredByFish],
] as const)("%s itself", (shell, offer) => {
  test.each([
    ["pointkeeper we", ["webhooks"]],
    ["pointkeeper webhooks re", ["receivers", "remove-receiver", "replay"]],
    ["pointkeeper start --role ", ["all", "api", "worker"]],
    ["pointkeeper tail de", ["deliveries"]],
    ["pointkeeper reconcile tsc", ["tsconfig.json"]],
    ["pointkeeper restore tsc", ["tsconfig.json"]],
    ["pointkeeper verify --against tsc", ["tsconfig.json"]],
  ])("offers for %s", (line, expected) => {
    if (isInstalled(shell)) expect(offer(line)).toEqual(expected);
    else process.stdout.write(`${shell} is not installed here: its completion was not run\n`);
  });
});
