import type { Deps } from "../deps.ts";
import type { ActiveSubscriptions } from "../webhooks/read-active-subscriptions.ts";
import type { CustomerRef } from "./customer-ref.ts";
import type { ExpiryRules } from "./expiry.ts";
import type { Posting } from "./posting.ts";

/** The parts of `Deps` that posting needs. */
export type PostingDeps = Pick<Deps, "clock" | "random" | "wake" | "config">;

/** A posting and whose balance it changes. */
export interface CustomerPosting {
  readonly customer: CustomerRef;
  readonly posting: Posting;
}

/** What a batch reads after its locks and shares among its decisions. */
export interface BatchContext {
  readonly rules: ExpiryRules;
  readonly programVersion: number;
  readonly floorAt: Temporal.Instant | null;
  readonly subscriptions: ActiveSubscriptions;
}
