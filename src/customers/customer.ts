import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { CustomerFacts } from "../platforms/neutral-events.ts";

/** Personal data of a customer; null: unknown, or none. */
export interface Profile {
  /** In lower case. */
  readonly email: string | null;
  readonly name: string | null;
  /** How the name is read (furigana), as it was stated. */
  readonly nameReading: string | null;
  /** `YYYY-MM-DD`, or `--MM-DD` if the year is unknown. */
  readonly birthday: string | null;
  readonly acceptsMarketing: boolean | null;
  readonly accountEnabled: boolean | null;
  /** The customer's language as BCP 47: `ja-JP`. */
  readonly locale: string | null;
  readonly tags: readonly string[] | null;
}

export type ProfileField = keyof Profile;

/** By field, the platform's version that last stated it, as an ISO 8601 instant. */
export type FieldVersions = Readonly<Partial<Record<ProfileField, string>>>;

export interface CustomerRow extends CustomerRef, Profile {
  /** The storefront id that is shown. */
  readonly storefrontId: string;
  readonly fieldVersions: FieldVersions;
  readonly profileAt: Temporal.Instant | null;
  readonly consentAt: Temporal.Instant | null;
  /** When the customer unsubscribed from mails of this service; null: not, or the customer consented again. */
  readonly unsubscribedAt: Temporal.Instant | null;
  readonly deletedAt: Temporal.Instant | null;
  readonly createdAt: Temporal.Instant;
}

/** Returns a customer with only a storefront id. */
export function newCustomer(storefrontId: string, ref: CustomerRef, createdAt: Temporal.Instant): CustomerRow {
  return {
    bucket: ref.bucket,
    customerUid: ref.customerUid,
    storefrontId,
    createdAt,
    ...EMPTY_PROFILE,
    ...{ fieldVersions: {}, profileAt: null, consentAt: null, unsubscribedAt: null, deletedAt: null },
  };
}

/** A statement about a customer: an absent field is unknown and keeps the stored value, null means none (program.md 2). */
export interface CustomerPatch {
  readonly storefrontId: string;
  /** In any case. */
  readonly email?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly nameReading?: string | null | undefined;
  readonly birthday?: string | null | undefined;
  readonly acceptsMarketing?: boolean | null | undefined;
  readonly accountEnabled?: boolean | null | undefined;
  readonly locale?: string | null | undefined;
  /** The complete set; the next two change the stored set. */
  readonly tags?: readonly string[] | undefined;
  readonly tagsAdded?: readonly string[] | undefined;
  readonly tagsRemoved?: readonly string[] | undefined;
  /** The platform's version of the customer; a patch without one always applies. */
  readonly profileAt?: Temporal.Instant | undefined;
  /** The version of `acceptsMarketing`, if it has a separate one. */
  readonly consentAt?: Temporal.Instant | undefined;
  /** It only fills what is unknown, for a customer who was merged: the survivor's own statements replace it, whatever their version. */
  readonly isFilling?: boolean | undefined;
  /** When tags were added or removed, or, for a complete set without `profileAt`, when it was valid. Absent: now. */
  readonly tagsAt?: Temporal.Instant | undefined;
}

/** Returns the patch for a platform's facts; `occurredAt`: when they were true according to the platform. */
export function patchOfFacts(
  facts: CustomerFacts,
  entityVersion?: Temporal.Instant,
  occurredAt?: Temporal.Instant,
): CustomerPatch {
  const { customerId, consentUpdatedAt, createdAt: _, ...fields } = facts;
  const versions = { profileAt: entityVersion, consentAt: consentUpdatedAt, tagsAt: occurredAt };
  return { ...fields, storefrontId: customerId, ...versions };
}

/** A profile with only unknown fields. */
export const EMPTY_PROFILE: Profile = {
  email: null,
  name: null,
  nameReading: null,
  birthday: null,
  acceptsMarketing: null,
  accountEnabled: null,
  locale: null,
  tags: null,
};

/** The result of a patch. */
export interface Patched {
  readonly profile: Profile;
  readonly fieldVersions: FieldVersions;
  readonly profileAt: Temporal.Instant | null;
  readonly consentAt: Temporal.Instant | null;
  /** The fields whose value changed. */
  readonly changed: readonly ProfileField[];
}

type Stored = Pick<CustomerRow, ProfileField | "fieldVersions" | "profileAt" | "consentAt">;

/**
 * Applies a patch to the stored data. Each field keeps the newest version that stated it, so that patches in any order give the same
 * result; a patch with the same version, or without one, applies.
 */
export function applyPatch(stored: Stored, patch: CustomerPatch): Patched {
  const stated: Partial<Record<ProfileField, unknown>> = statedFields(stored, patch);
  const profile: Record<ProfileField, unknown> = profileOf(stored);
  const fieldVersions: Partial<Record<ProfileField, string>> = { ...stored.fieldVersions };
  const changed: ProfileField[] = [];
  for (const field of PROFILE_FIELDS) {
    const value = stated[field];
    const version = versionOf(field, patch);
    if (value === undefined || isOlder(version, stored.fieldVersions[field])) continue;
    if (version !== undefined && !isDelta(field, patch)) {
      fieldVersions[field] = patch.isFilling === true ? filledVersion(field, version.toString()) : version.toString();
    }
    if (sameValue(profile[field], value)) continue;
    profile[field] = value;
    changed.push(field);
  }
  return {
    profile: profile as unknown as Profile, // cast: each field was taken from a Profile or from a patch's field of its name
    fieldVersions,
    profileAt: newest(stored.profileAt, patch.profileAt),
    consentAt: newest(stored.consentAt, patch.consentAt),
    changed,
  };
}

const PROFILE_FIELDS = Object.keys(EMPTY_PROFILE) as readonly ProfileField[]; // cast: keys of the constant above

const BEFORE_ALL_VERSIONS = "1970-01-01T00:00:00Z";

/**
 * Returns the version of a field that a merged customer filled: older than every version of the survivor's own, which may arrive only now. The set of
 * tags and the consent have times of their own, which decide about orders and mails.
 */
export function filledVersion(field: ProfileField, version: string): string {
  return field === "tags" || field === "acceptsMarketing" ? version : BEFORE_ALL_VERSIONS;
}

function profileOf(row: Profile): Profile {
  const { email, name, nameReading, birthday, acceptsMarketing, accountEnabled, locale, tags } = row;
  return { email, name, nameReading, birthday, acceptsMarketing, accountEnabled, locale, tags };
}

function statedFields(stored: Stored, patch: CustomerPatch): Partial<Record<ProfileField, unknown>> {
  const { name, nameReading, birthday, acceptsMarketing, accountEnabled, locale } = patch;
  return {
    email: patch.email?.toLowerCase() ?? patch.email,
    name,
    nameReading,
    birthday,
    acceptsMarketing,
    accountEnabled,
    locale,
    tags: tags(stored, patch),
  };
}

/** Returns tags in a fixed order, each once, so that equal sets are equal lists. */
function tags(
  stored: Stored,
  { tags, tagsAdded = [], tagsRemoved = [] }: CustomerPatch,
): readonly string[] | undefined {
  if (tags === undefined && tagsAdded.length === 0 && tagsRemoved.length === 0) return undefined;
  const set = new Set([...(tags ?? stored.tags ?? []), ...tagsAdded]);
  for (const tag of tagsRemoved) set.delete(tag);
  return [...set].sort();
}

/** Whether tags were added or removed. That changes a set and is not a version of it: a newer complete set still replaces it. */
function isDelta(field: ProfileField, patch: CustomerPatch): boolean {
  return field === "tags" && patch.tags === undefined;
}

function versionOf(field: ProfileField, patch: CustomerPatch): Temporal.Instant | undefined {
  return field === "acceptsMarketing" ? (patch.consentAt ?? patch.profileAt) : patch.profileAt;
}

function isOlder(version: Temporal.Instant | undefined, stored: string | undefined): boolean {
  if (version === undefined || stored === undefined) return false;
  return Temporal.Instant.compare(version, Temporal.Instant.from(stored)) < 0;
}

function newest(a: Temporal.Instant | null, b: Temporal.Instant | undefined): Temporal.Instant | null {
  if (b === undefined || (a !== null && Temporal.Instant.compare(a, b) >= 0)) return a;
  return b;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((element, i) => element === b[i]);
  return a === b;
}
