import { EmbeddedServerError } from "../../src/db/embedded/embedded-server-error.ts";
import { startEmbeddedServer } from "../../src/db/embedded/start-embedded-server.ts";

/**
 * A process that uses an embedded server until SIGTERM: `use-server.ts <data folder> <service|command>`. Prints the server's pid when it is ready; a
 * refusal goes to stderr, with exit code 1.
 */
const [dataDir = "", kind = ""] = process.argv.slice(2);

try {
  const server = await startEmbeddedServer({ dataDir, outlivesProcess: kind === "command" });
  process.once("SIGTERM", () => void server.stop());
  if (kind === "service") {
    await server.claimService().catch(async (error) => {
      await server.stop();
      throw error;
    });
  }
  process.stdout.write(`${server.pid()}\n`);
} catch (error) {
  if (!(error instanceof EmbeddedServerError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
