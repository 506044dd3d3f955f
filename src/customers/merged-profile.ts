import {
  type CustomerPatch,
  type CustomerRow,
  EMPTY_PROFILE,
  type FieldVersions,
  type Patched,
  type Profile,
  type ProfileField,
} from "./customer.ts";

const PROFILE_FIELDS = Object.keys(EMPTY_PROFILE) as readonly ProfileField[]; // cast: keys of the constant

/** The field is unknown: nothing was stated, not even that there is none. */
function isUnknown(
  { fieldVersions, ...profile }: Profile & { fieldVersions: FieldVersions },
  field: ProfileField,
): boolean {
  return profile[field] === null && fieldVersions[field] === undefined;
}

/** The surviving customer's profile after a merge: its own fields win, unknown ones are filled with the merged customer's. */
export function mergeProfiles(kept: CustomerRow, removed: CustomerRow): Patched {
  const filled = PROFILE_FIELDS.filter((field) => isUnknown(kept, field) && !isUnknown(removed, field));
  const take = (field: ProfileField) => (filled.includes(field) ? removed : kept);
  return {
    profile: {
      email: take("email").email,
      name: take("name").name,
      birthday: take("birthday").birthday,
      acceptsMarketing: take("acceptsMarketing").acceptsMarketing,
      accountEnabled: take("accountEnabled").accountEnabled,
      locale: take("locale").locale,
      tags: take("tags").tags,
    },
    fieldVersions: {
      ...kept.fieldVersions,
      ...Object.fromEntries(
        Object.entries(removed.fieldVersions).filter(([field]) => filled.some((name) => name === field)),
      ),
    },
    profileAt: kept.profileAt,
    consentAt: filled.includes("acceptsMarketing") ? removed.consentAt : kept.consentAt,
    changed: filled.filter((field) => removed[field] !== null),
  };
}

/**
 * What an event under the id of a merged customer says of the surviving one: it fills unknown fields and changes none, whenever
 * it comes. An event without a version, a request of a person say, holds.
 */
export function patchOfMerged(stored: CustomerRow, patch: CustomerPatch): CustomerPatch {
  const isVersioned = patch.profileAt !== undefined || patch.consentAt !== undefined;
  if (patch.storefrontId === stored.storefrontId || !isVersioned) return patch;
  const fill = <K extends ProfileField>(field: K): Pick<CustomerPatch, K> | object =>
    isUnknown(stored, field) ? { [field]: patch[field] } : {};
  return {
    storefrontId: patch.storefrontId,
    profileAt: patch.profileAt,
    consentAt: patch.consentAt,
    tagsAt: patch.tagsAt,
    ...fill("email"),
    ...fill("name"),
    ...fill("birthday"),
    ...fill("acceptsMarketing"),
    ...fill("accountEnabled"),
    ...fill("locale"),
    ...fill("tags"),
  };
}
