import { HELP, readOptions } from "./options.ts";

const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  process.stderr.write(`${options}\n\n${HELP}`);
  process.exitCode = 1;
} else if (options.help) {
  process.stdout.write(HELP);
} else {
  const { runAndCleanUp } = await import("./run-and-clean-up.ts"); // loaded late, as it is all of the code
  process.exit(await runAndCleanUp(options));
}
