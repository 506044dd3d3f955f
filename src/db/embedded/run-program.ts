import { spawn } from "node:child_process";
import { once } from "node:events";
import { type ProgramCommand, spawnOptions } from "./command.ts";

/** Runs a program to its end. Never throws: if it cannot be started, `ok` is false and `output` has the reason. */
export async function runProgram(command: ProgramCommand): Promise<{ ok: boolean; output: string }> {
  let output = "";
  try {
    const child = spawn(command.file, command.args, { ...spawnOptions(command), stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const [code] = await once(child, "close");
    return { ok: code === 0, output };
  } catch (error) {
    return { ok: false, output: `${output}${error instanceof Error ? error.message : String(error)}` };
  }
}
