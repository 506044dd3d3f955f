import type { Queryable } from "../../db/pool.ts";

/** The progress of setting up a new store. */
export interface Setup {
  readonly hasProgram: boolean;
  readonly hasEvents: boolean;
  readonly hasCustomers: boolean;
  readonly hasPoints: boolean;
  readonly lastReceiptAt: Temporal.Instant | null;
  readonly hasImport: boolean;
  readonly owners: number;
  /** The names of the confirmed steps. */
  readonly confirmed: readonly string[];
}

// Each part reads one row of an index, or a small table. Citus refuses a part without a column.
const SETUP = `select
  exists (select true from program_version where version > 1) as "hasProgram",
  exists (select true from receipt) as "hasEvents",
  exists (select true from customer) as "hasCustomers",
  exists (select true from allotment) as "hasPoints",
  (select received_at from receipt order by uid desc limit 1) as "lastReceiptAt",
  exists (select true from import where state in ('importing', 'imported')) as "hasImport",
  (select count(*)::integer from staff where role = 'owner' and disabled_at is null) as owners,
  array(select step from setup_step) as confirmed`;

export async function selectSetup(queryable: Queryable): Promise<Setup> {
  const [setup] = await queryable.query<Setup>(SETUP);
  if (setup === undefined) throw new Error("a select without from answers one row");
  return setup;
}

/** Stores that a person confirmed a step, or removes that. Returns whether it changed anything. */
export async function writeSetupStep(
  queryable: Queryable,
  { step, isConfirmed, at, by }: { step: string; isConfirmed: boolean; at: Temporal.Instant; by: string },
): Promise<boolean> {
  const changed = isConfirmed
    ? await queryable.execute(
        `insert into setup_step (step, confirmed_at, confirmed_by)
         values ($1, $2, $3)
         on conflict (step) do nothing`,
        [step, at, by],
      )
    : await queryable.execute("delete from setup_step where step = $1", [step]);
  return changed > 0;
}
