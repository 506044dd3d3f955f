import fc from "fast-check";

/**
 * Property tests use the same examples in every run, so that a failing build is caused by a change. For a longer search:
 * `FC_SEED=$RANDOM npx vitest run test/ledger-model`.
 */
fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 20_260_301) });
