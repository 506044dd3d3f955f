import { runCommandLine } from "./commands/run-command-line.ts";

await runCommandLine(["start", ...process.argv.slice(2)]);
