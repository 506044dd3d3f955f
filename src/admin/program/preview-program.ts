import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { ExpiryRules } from "../../ledger/expiry.ts";
import { previewReview, type ReviewEffect } from "../../orders/preview-review.ts";
import { type AppliedProgram, applyProgram, type ProgramTransition } from "../../shop/apply-program.ts";
import type { Program } from "../../shop/program.ts";
import { previewTiers } from "../../tiers/preview-tiers.ts";
import type { TierPreview } from "../../tiers/tier-preview.ts";
import type { ExpiryEffect } from "./expiry-effect.ts";
import { type OrderExample, orderExamples } from "./order-examples.ts";
import { previewExpiries } from "./preview-expiries.ts";
import { type NamedCustomer, selectNamedCustomers } from "./queries.ts";

export interface PreviewProgramInput {
  /** JSON as it was parsed, whole or in part. */
  readonly document: unknown;
  /** The version that it was made from. */
  readonly baseVersion: number;
  /** Whether new tier rules would place customers at once. */
  readonly isNow: boolean;
  /** From when it would hold for orders; null: from now on. */
  readonly validFrom: Temporal.Instant | null;
  /** Throws where the change may not be, as applying it does. */
  readonly guard: (change: ProgramTransition) => void;
}

/** What a change would do. */
export interface ProgramEffect {
  /** Null: nothing of the tiers changes. */
  readonly tiers: TierPreview | null;
  /** By uid, of those whom `tiers` lists. */
  readonly customers: ReadonlyMap<string, NamedCustomer>;
  /** Null: no date of points can change. */
  readonly expiries: ExpiryEffect | null;
  readonly orders: readonly OrderExample[];
  /** Null: it would hold from now on, and no order is judged again. */
  readonly review: ReviewEffect | null;
}

/** How long each part may look at customers; what it has seen by then is a sample of them. */
const LOOK_MS = 4_000;

/**
 * What a change of the program would do (program.md 6): who moves tier, which points expire at another time, what orders would earn.
 * Writes nothing and locks nothing. Throws `invalid` with every fault, `program_changed`, and what `guard` throws.
 */
export async function previewProgram(
  deps: Pick<Deps, "db" | "clock" | "random">,
  { document, baseVersion, isNow, validFrom, guard }: PreviewProgramInput,
): Promise<AppliedProgram<ProgramEffect>> {
  return await applyProgram(deps, {
    document,
    baseVersion,
    validFrom,
    author: "preview",
    isDryRun: true,
    movers: (tx, change) => {
      guard(change);
      return effectOf(tx, deps, change, isNow);
    },
  });
}

async function effectOf(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  change: ProgramTransition,
  isNow: boolean,
): Promise<ProgramEffect> {
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
    review: isForThePast(change, now)
      ? await previewReview(tx, deps, { program: after, validFrom: change.validFrom }, lookLimit())
      : null,
  };
}

function isForThePast({ validFrom }: ProgramTransition, now: Temporal.Instant): boolean {
  return validFrom === null || Temporal.Instant.compare(validFrom, now) < 0;
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
