/** The person of refused sign-ins whom the service does not know. */
export const UNKNOWN_PERSON = "unknown";

/** The refused sign-ins of an hour, for one person from one address. */
export interface Refusals {
  readonly hour: Temporal.Instant;
  /** The uid of the person, or `UNKNOWN_PERSON`. */
  readonly subject: string;
  /** An `addressKey`, or `OTHER_ADDRESSES`. */
  readonly address: string;
  readonly failures: bigint;
  /** Of them, those that the audit log has. */
  readonly recorded: bigint;
}

/** So many of an hour have an entry of their own. */
const SINGLE_ENTRIES = 5n;

/** Whether an entry of the audit log is due: after each of the first ones, then whenever their number has doubled, so that an attack makes few entries. */
export function isEntryDue({ failures, recorded }: Pick<Refusals, "failures" | "recorded">): boolean {
  return failures <= SINGLE_ENTRIES || failures >= 2n * recorded;
}

/** Returns what an entry says of the number of refusals that it is of; nothing for one of a listed address. */
export function countFields(failures: bigint, isOfOthers: boolean): object {
  return { ...(failures === 1n ? {} : { failures }), ...(isOfOthers ? { addresses: "others" } : {}) };
}
