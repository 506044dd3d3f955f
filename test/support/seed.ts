import { flushCompileCache } from "node:module";
import fc from "fast-check";
import { beforeAll } from "vitest";

/**
 * Property tests use the same examples in every run, so that a failing build is caused by a change. For a longer search:
 * `FC_SEED=$RANDOM npx vitest run test/ledger-model`.
 */
fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 20_260_301) });

// What this file has loaded is stored at once, not only at the worker's end: many tests start processes of the sources and kill them, which
// never store anything themselves and would compile everything again each time.
beforeAll(() => flushCompileCache());
