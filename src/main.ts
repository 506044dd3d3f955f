import { runService } from "./start/run-service.ts";

await runService(process.argv.slice(2));
