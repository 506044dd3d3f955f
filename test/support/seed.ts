import fc from "fast-check";

/**
 * Property tests draw the same examples in every run, so that a failing build is somebody's change. To look further:
 * `FC_SEED=$RANDOM npx vitest run test/ledger-model`.
 */
fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 20_260_301) });
