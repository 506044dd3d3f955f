import { readConfig } from "../src/config.ts";
import { createLog } from "../src/log.ts";
import { startService } from "../src/start/start-service.ts";
import { emptyRoute } from "./empty-route.ts";

// The service with one more route. SIGTERM ends it.
const config = readConfig(process.env, process.env.BENCH_ROLE === undefined ? {} : { role: process.env.BENCH_ROLE });
const log = createLog({ level: config.logLevel, pretty: true, write: (line) => void process.stderr.write(line) });
const service = await startService(config, log, async () => {}, { extraRoutes: emptyRoute });
process.once("SIGTERM", async () => {
  await service.stop();
  process.exit(0);
});
process.stdout.write(`running at ${service.url}\n`);
