/**
 * The program: all settings of a store as one document (program.md 9), in the form that the service uses. Money is in integer minor units
 * of the store's currency, points are bigint, instants are Temporal.Instant. `program-document.ts` reads and writes the document on the
 * wire.
 */
/** The version that the service creates itself: a stand-in until a person applies a program. */
export const STAND_IN_VERSION = 1;

export interface Rate {
  /** Points given per `currencyValue`. */
  readonly pointValue: bigint;
  /** Currency unit of the rate, minor units, at least 1. */
  readonly currencyValue: bigint;
}

export interface BonusCollection extends Rate {
  readonly collectionId: string;
  /** What people call it; null: it is called by its id. */
  readonly name: string | null;
  readonly startsAt: Temporal.Instant | null;
  readonly endsAt: Temporal.Instant | null;
}

export interface Campaign {
  readonly name: string;
  readonly startsAt: Temporal.Instant;
  readonly endsAt: Temporal.Instant;
  /** The rate of tiers that `byTier` does not name. */
  readonly rate: Rate;
  /** Keyed by tier uid. */
  readonly byTier: ReadonlyMap<string, Rate>;
}

export interface TierRule extends Rate {
  /** Our id, kept across versions of the program. */
  readonly uid: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** Minor units to be spent in the window to enter the tier. */
  readonly currencySpentRequirement: bigint;
}

export interface Program {
  readonly version: number;
  readonly store: { readonly name: string; readonly currency: string; readonly timeZone: string };
  readonly earning: {
    /** The rate of customers whose tier has no rate: never in practice, because every tier has a rate. */
    readonly rate: Rate;
    readonly rounding: "up" | "down" | "half_up";
    readonly includeTax: boolean;
    readonly separateTax: boolean;
    readonly awardOn: "paid_and_fulfilled" | "paid";
    readonly pendingDays: number;
    readonly excludedProductTags: readonly string[];
    readonly excludedCustomerTags: readonly string[];
    readonly bonusCollections: readonly BonusCollection[];
  };
  /** By start, never overlapping. */
  readonly campaigns: readonly Campaign[];
  readonly tiers: {
    readonly periodMonths: 1 | 2 | 3 | 4 | 6 | 12;
    readonly startMonth: number;
    readonly windowMonths: number;
    readonly onMiss: "one_down" | "matching" | "never";
    readonly spendAt: "fulfilled" | "paid" | "processed";
    /** Ascending by requirement; never empty; exactly one is the default. */
    readonly rules: readonly TierRule[];
  };
  readonly expiration: ExpirationRules;
  readonly refunds: { readonly shortfall: "cap" | "owe" | "refuse"; readonly reimburseCouponsOnPartial: boolean };
  readonly coupons: {
    /** The value of a point in minor units. */
    readonly pointWorth: bigint;
    readonly lifetimeHours: number;
    readonly graceHours: number;
  };
  readonly rewards: { readonly signup: bigint; readonly marketingOptIn: bigint; readonly birthday: bigint };
  readonly staff: {
    /** Above this number of points given to, or taken from, a customer within 24 hours, a person needs a second person's approval; null: never. */
    readonly approvalLimit: bigint | null;
    /** The same for all customers together. */
    readonly dailyLimit: bigint | null;
  };
}

export interface ExpirationRules {
  /** Months until points expire; null: never. */
  readonly delayMonths: number | null;
  readonly mode: "sliding" | "per_allotment";
  readonly sweep: "daily" | "monthly" | "yearly";
  readonly couponsExtend: boolean;
  /** Days given to returned points whose date has passed. */
  readonly returnedDays: number;
  readonly shorteningDays: number;
  /**
   * When the delay last became shorter: no points expire by these rules before `shorteningDays` after it. Stored with the version, not set
   * in the document (`shortened-at.ts`).
   */
  readonly shortenedAt: Temporal.Instant | null;
}
