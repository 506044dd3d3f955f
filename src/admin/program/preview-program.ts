import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { ExpiryRules } from "../../ledger/expiry/expiry.ts";
import { previewReview, type ReviewEffect } from "../../orders/review/preview-review.ts";
import { type AppliedProgram, applyProgram, type ProgramTransition } from "../../program/apply-program.ts";
import type { Program } from "../../program/program.ts";
import { previewTiers } from "../../tiers/preview-tiers.ts";
import type { TierPreview } from "../../tiers/tier-preview.ts";
import { type Changer, decideApprovalNeed, type NeededApproval } from "./decide-approval-need.ts";
import type { ExpiryEffect } from "./expiry-effect.ts";
import { type OrderExample, orderExamples } from "./order-examples.ts";
import { previewExpiries } from "./preview-expiries.ts";
import { type NamedMover, selectNamedCustomers } from "./queries.ts";

export interface PreviewProgramInput {
  /** JSON as it was parsed, complete or partial. */
  readonly document: unknown;
  /** The version on which the change is based. */
  readonly baseVersion: number;
  /** Whether new tier rules would place customers at once. */
  readonly isNow: boolean;
  /** From when it would apply to orders; null: from now on. */
  readonly validFrom: Temporal.Instant | null;
  /** The person who would request it; null: a person views the request of another. */
  readonly by: Changer | null;
}

/** The effect of a change. */
export interface ProgramEffect {
  /** Null: the tiers do not change. */
  readonly tiers: TierPreview | null;
  /** The customers whom `tiers` lists, by uid. */
  readonly customers: ReadonlyMap<string, NamedMover>;
  /** Null: no expiry date can change. */
  readonly expiries: ExpiryEffect | null;
  readonly orders: readonly OrderExample[];
  /** Why it would wait for a second person; null: it would not. */
  readonly approval: NeededApproval | null;
  /** Null: it would apply from now on, and no order is re-evaluated. */
  readonly review: ReviewEffect | null;
}

/** The time limit of each part that reads customers; what it has read by then is a sample. */
const LOOK_MS = 4_000;

/**
 * Returns the effect of a change of the program (program.md 6): who changes tier, which points expire at another time, what orders would earn. Writes
 * and locks nothing. Throws `invalid` with every fault, `program_changed`, and `forbidden` like the change itself.
 */
export async function previewProgram(
  deps: Pick<Deps, "db" | "clock" | "random" | "config">,
  { document, baseVersion, isNow, validFrom, by }: PreviewProgramInput,
): Promise<AppliedProgram<ProgramEffect>> {
  return await applyProgram(deps, {
    document,
    baseVersion,
    validFrom,
    author: "preview",
    isDryRun: true,
    movers: async (tx, change) => {
      const approval = by === null ? null : await decideApprovalNeed(tx, deps, change, by);
      return { ...(await effectOf(tx, deps, change, isNow)), approval };
    },
  });
}

async function effectOf(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  change: ProgramTransition,
  isNow: boolean,
): Promise<Omit<ProgramEffect, "approval">> {
  const { before, after } = change;
  const now = deps.clock.now();
  const tiers = isDeepStrictEqual(tierSettings(before), tierSettings(after))
    ? null
    : await previewTiers(tx, deps, change, { isNow, isOver: lookLimit() });
  const listed = tiers === null ? [] : [...tiers.now.first, ...tiers.atCheck.first];
  const customers = await selectNamedCustomers(tx, listed);
  const dates = { before: expiryRules(before), after: expiryRules(after), now };
  return {
    tiers,
    customers: new Map(customers.map((customer) => [customer.customerUid, customer])),
    expiries: isDeepStrictEqual(dates.before, dates.after) ? null : await previewExpiries(tx, dates, lookLimit()),
    orders: orderExamples({ before, after, now }),
    review: change.isForPast
      ? await previewReview(tx, deps, { program: after, validFrom: change.validFrom }, lookLimit())
      : null,
  };
}

function tierSettings({ tiers, store }: Program): unknown {
  return [tiers, store.timeZone];
}

function expiryRules({ expiration, store }: Program): ExpiryRules {
  return { ...expiration, timeZone: store.timeZone };
}

function lookLimit(): () => boolean {
  const endsAt = performance.now() + LOOK_MS;
  return () => performance.now() >= endsAt;
}
