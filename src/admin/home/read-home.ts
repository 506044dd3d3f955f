import type { DiskNotice } from "../../alerts/disk-room.ts";
import { type ServiceHealth, selectHealth } from "../../alerts/health-queries.ts";
import { readDiskNotice } from "../../alerts/read-disk-notice.ts";
import { type BackupState, readBackupState } from "../../backup/read-backup-state.ts";
import type { Tx } from "../../db/pool.ts";
import type { ReadDeps } from "../../deps.ts";
import { selectLapsing } from "../../growth/read-queries.ts";
import { selectMetricsState } from "../../metrics/customer-queries.ts";
import {
  type CustomerCount,
  type DaySums,
  selectActiveAfter,
  selectCount,
  selectDays,
  selectExpiring,
  selectOutstanding,
} from "../../metrics/metric-queries.ts";
import type { Rollup } from "../../metrics/rollup.ts";
import { selectRollups } from "../../metrics/rollup-queries.ts";
import { Problem } from "../../problems.ts";
import { type Program, STAND_IN_VERSION } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { readProgramVersion } from "../../program/read-program-version.ts";
import { readRunTitles, type TitledRun } from "../../sales/read-run-titles.ts";
import { selectRunsDuring } from "../../sales/result-queries.ts";
import { localDate, monthIndex, startOfDate } from "../../time/store-time.ts";
import { readGrowthState } from "../growth/read-growth-state.ts";
import { type Period, readPeriod } from "./period.ts";
import { type Setup, selectSetup } from "./setup-queries.ts";
import { type SetupStepState, setupSteps } from "./setup-steps.ts";

/** The figures of the dashboard's home page, all of one moment. */
export interface Home {
  readonly period: Period;
  readonly program: Program;
  /** The rollup that is shown; its zone is '' before the first one is made. */
  readonly rollup: Rollup;
  readonly isRebuilding: boolean;
  readonly days: readonly DaySums[];
  readonly daysBefore: readonly DaySums[];
  /** Campaigns that ran within the period. */
  readonly campaigns: readonly TitledRun[];
  /** Outstanding points now, and at the start of the period. */
  readonly outstanding: bigint;
  readonly opening: bigint;
  /** Outstanding points at the start of the previous period. */
  readonly openingBefore: bigint;
  readonly active: { readonly days30: bigint; readonly days90: bigint; readonly days365: bigint };
  readonly count: CustomerCount | null;
  /** Null: they are being counted for the first time. */
  readonly lapsing: { readonly all: bigint; readonly thisMonth: bigint } | null;
  readonly expiring: {
    readonly isComplete: boolean;
    /** The present month as counted by `monthIndex`. The 12 months from it on are shown. */
    readonly firstMonth: number;
    readonly months: readonly { readonly month: number; readonly points: bigint }[];
  };
  readonly health: ServiceHealth;
  readonly backup: BackupState;
  readonly disk: DiskNotice | null;
  readonly setup: Setup;
  readonly steps: readonly SetupStepState[];
}

const EXPIRING_MONTHS = 12;
const CAMPAIGNS_MAX = 20;

/** Reads the dashboard's home page for a period, from read models only. Throws `invalid` for an invalid period. */
export async function readHome(
  deps: Pick<ReadDeps, "db" | "clock" | "config">,
  query: Parameters<typeof readPeriod>[0],
): Promise<Home> {
  const now = deps.clock.now();
  return await deps.db.snapshot(async (tx) => {
    const program = await readProgram(tx);
    const today = localDate(now, program.store.timeZone);
    const period = readPeriod(query, today);
    if ("faults" in period) throw new Problem("invalid", period);
    const rollups = await selectRollups(tx);
    const rollup = rollups.find(({ isShown }) => isShown);
    if (rollup === undefined) throw new Error("no figures are shown: the migration begins with empty ones");
    const [days, daysBefore, outstanding, opening, openingBefore] = await Promise.all([
      selectDays(tx, rollup.generation, period),
      selectDays(tx, rollup.generation, period.before),
      selectOutstanding(tx, rollup.generation, "infinity"),
      selectOutstanding(tx, rollup.generation, period.from),
      selectOutstanding(tx, rollup.generation, period.before.from),
    ]);
    const isRebuilding = rollup.timeZone !== "" && rollups.length > 1;
    const runs = await selectRunsDuring(tx, spanOf(period, now, program.store.timeZone), CAMPAIGNS_MAX);
    const campaigns = await readRunTitles(tx, runs, program);
    const sums = { campaigns, days, daysBefore, outstanding, opening, openingBefore };
    const rest = await readRest(tx, now, program);
    const backup = await readBackupState(tx, deps.config, now);
    const disk = await readDiskNotice(tx, deps);
    const builtIn = await readProgramVersion(tx, STAND_IN_VERSION);
    const steps = setupSteps({ ...rest.setup, builtIn, program, confirmed: new Set(rest.setup.confirmed) });
    return { period, program, rollup, isRebuilding, ...sums, ...rest, backup, disk, steps };
  });
}

/** The instants of a period, up to now: planned campaigns have not run. */
function spanOf({ from, to }: Period, now: Temporal.Instant, timeZone: string) {
  const end = startOfDate(Temporal.PlainDate.from(to).add({ days: 1 }).toString(), timeZone);
  return { from: startOfDate(from, timeZone), to: Temporal.Instant.compare(end, now) < 0 ? end : now };
}

async function readRest(tx: Tx, now: Temporal.Instant, { version, store: { timeZone } }: Program) {
  const today = Temporal.PlainDate.from(localDate(now, timeZone));
  const firstMonth = monthIndex(now, timeZone);
  const activeSince = (days: number) => selectActiveAfter(tx, today.subtract({ days }).toString());
  const [days30, days90, days365, count, lapsing, state, months, health, setup] = await Promise.all([
    activeSince(30),
    activeSince(90),
    activeSince(365),
    selectCount(tx),
    readLapsing(tx, now),
    selectMetricsState(tx),
    selectExpiring(tx, firstMonth, firstMonth + EXPIRING_MONTHS),
    selectHealth(tx, now, version === STAND_IN_VERSION),
    selectSetup(tx),
  ]);
  const expiring = { isComplete: state.isComplete, firstMonth, months };
  return { active: { days30, days90, days365 }, count, lapsing, expiring, health, setup };
}

/** The customers who lapse, as Growth counts them, and those of them who began to in the present month. */
async function readLapsing(tx: Tx, now: Temporal.Instant): Promise<Home["lapsing"]> {
  const { countedAt, lastMonth } = await readGrowthState(tx, now);
  if (countedAt === null) return null;
  const byMonth = await selectLapsing(tx, now);
  const all = [...byMonth.values()].reduce((sum, customers) => sum + customers, 0n);
  return { all, thisMonth: byMonth.get(lastMonth) ?? 0n };
}
