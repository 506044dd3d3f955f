import { type Static, Type } from "typebox";
import { DISK_STATES } from "../../alerts/disk-room.ts";
import { Nullable } from "../../http/nullable.ts";
import { PERIOD_PRESETS } from "../../wire/period-presets.ts";
import { SETUP_STEPS } from "./setup-steps.ts";

const text = Type.String();
const count = Type.Integer();
const points = Type.Integer();

export const homeQuery = Type.Object({
  from: Type.Optional(Type.String({ maxLength: 40, description: "The first day, in the store's zone." })),
  to: Type.Optional(Type.String({ maxLength: 40, description: "The last day, included." })),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_100, description: "Without `from`: how many days." })),
  preset: Type.Optional(Type.Enum([...PERIOD_PRESETS], { description: "In place of the others." })),
});

const flowFields = {
  issued: points,
  spent: points,
  expired: points,
  refunded: points,
  returned: points,
  adjusted: Type.Integer({ description: "Signed; the others are positive where they are what their name says." }),
};
const flows = Type.Object(flowFields);
const day = Type.Object({
  day: text,
  ...flowFields,
  outstanding: Type.Integer({ description: "At the end of the day." }),
});

const tier = Type.Object({
  uid: text,
  name: text,
  is_default: Type.Boolean(),
  customers: count,
});

/** The state of the replica for lists and Home. While it is unused, everything is read from the primary. */
const REPLICA_STATES = ["used", "unused"] as const;

/** The state of the scheduled backups. */
const BACKUP_STATES = ["well", "failed", "overdue", "log_behind"] as const;

const health = Type.Object({
  deliveries_failed: Type.Integer({ description: "Up to 10,001, as the other counts here." }),
  deliveries_retried: count,
  receivers_dead: count,
  jobs_troubled: Type.Integer({ description: "Failed the last time, late, or left by a process that died." }),
  receipts_failed: count,
  receipts_waiting: count,
  approvals_waiting: Type.Integer({ description: "Adjustments that need a second person." }),
  orders_no_program: Type.Integer({
    description: "In another currency than the stand-in's; they earn once a program is applied.",
  }),
  orders_other_currency: Type.Integer({ description: "In another currency than the program's: they earn nothing." }),
  orders_no_customer: Type.Integer({ description: "They wait for the customer of their e-mail." }),
  orders_to_judge: Type.Integer({ description: "Still to be judged again by a program that holds for their time." }),
  backup: Nullable(
    Type.Object(
      {
        state: Type.Enum([...BACKUP_STATES]),
        last_at: Nullable(Type.String({ description: "Of the newest complete backup." })),
      },
      { description: "Null: the settings of the node that answers have no schedule." },
    ),
  ),
  disk: Nullable(
    Type.Object(
      {
        state: Type.Enum([...DISK_STATES]),
        free_bytes: count,
        free_files: Nullable(Type.Integer({ description: "Null: the file system has no fixed number of files." })),
      },
      { description: "Null: the disk of the embedded database has room, or the database is external." },
    ),
  ),
  ledger_breaches: Type.Integer({ description: "Found by the self-check: rows of the database were changed by hand." }),
  replica: Nullable(
    Type.String({ enum: [...REPLICA_STATES], description: "Of the node that answers; null: it has none." }),
  ),
});

const setupStep = Type.Enum([...SETUP_STEPS]);

const setup = Type.Object({
  has_program: Type.Boolean(),
  has_events: Type.Boolean(),
  has_customers: Type.Boolean(),
  has_points: Type.Boolean(),
  steps: Type.Array(
    Type.Object({
      step: setupStep,
      is_done: Type.Boolean(),
      is_confirmed: Type.Boolean({ description: "Done because a person said that it is right as it is." }),
    }),
  ),
  /** The values that the checklist shows beside its steps. */
  present: Type.Object({
    currency: text,
    time_zone: text,
    point_value: points,
    currency_value: Type.Integer({ description: "Minor units of the store's currency." }),
    tiers: count,
    expiry_months: Nullable(Type.Integer({ description: "Null: points never expire." })),
    last_receipt_at: Nullable(Type.String()),
    owners: count,
  }),
});

const campaign = Type.Object({
  id: Type.String({ description: "Of its result." }),
  name: text,
  from: Type.String({ description: "Its first day within the period." }),
  to: Type.String({ description: "Its last day within the period." }),
});

const home = Type.Object({
  from: text,
  to: text,
  before: Type.Object({ from: text, to: text }),
  time_zone: Type.String({
    description: "Whose days these are: the store's, or the one before while figures are made for a new one.",
  }),
  as_of: Nullable(Type.String({ description: "How far the figures by day are; null: nothing is counted yet." })),
  is_rebuilding: Type.Boolean(),
  outstanding: Type.Object({
    points,
    before: Type.Integer({ description: "At the start of the period." }),
    worth_minor: Type.Integer({
      description: "By what a coupon gives for a point, minor units of the store's currency.",
    }),
  }),
  totals: flows,
  totals_before: flows,
  redemption_rate: Type.Unsafe<number | null>({
    type: ["number", "null"],
    description: "Points spent by points issued in the period.",
  }),
  redemption_rate_before: Type.Unsafe<number | null>({ type: ["number", "null"] }),
  days: Type.Array(day),
  days_before: Type.Array(day, { description: "Of `before`." }),
  campaigns: Type.Array(campaign, {
    description:
      "Campaigns, and bonus collections with a start, that ran within the period, by their start; at most 20.",
  }),
  active: Type.Object({ days_30: count, days_90: count, days_365: count }),
  lapsing: Nullable(
    Type.Object(
      { customers: count, this_month: Type.Integer({ description: "Who began to lapse in the present month." }) },
      { description: "As Growth counts them; null: they are being counted for the first time." },
    ),
  ),
  customers: Type.Unsafe<{
    count: number;
    counted_at: string;
    tiers: Static<typeof tier>[];
  } | null>({
    ...Type.Object({ count, counted_at: text, tiers: Type.Array(tier) }),
    type: ["object", "null"],
  }),
  expiring: Type.Object({
    is_complete: Type.Boolean({ description: "No: customers are still being looked at under new settings." }),
    months: Type.Array(Type.Object({ month: Type.String({ description: "2026-04" }), points })),
  }),
  health,
  setup,
});

export const homeAnswer = Type.Object({ data: home });

export const stepParams = Type.Object({ step: setupStep });
export const stepBody = Type.Object({ confirmed: Type.Boolean() }, { additionalProperties: false });
export const stepAnswer = Type.Object({ data: Type.Object({ step: setupStep, confirmed: Type.Boolean() }) });

export type HomeData = Static<typeof home>;
export type HomeDay = Static<typeof day>;
export type HomeCampaign = Static<typeof campaign>;
export type HomeFlows = Static<typeof flows>;
export type HomeTier = Static<typeof tier>;
export type HomeHealth = Static<typeof health>;
export type HomeSetup = Static<typeof setup>;
