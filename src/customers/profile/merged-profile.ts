import {
  type CustomerPatch,
  type CustomerRow,
  EMPTY_PROFILE,
  type FieldVersions,
  filledVersion,
  type Patched,
  type Profile,
  type ProfileField,
} from "../customer.ts";

const PROFILE_FIELDS = Object.keys(EMPTY_PROFILE) as readonly ProfileField[]; // cast: keys of the constant

/** Whether a field is unknown: nothing was stated, not even that there is none. */
function isUnknown(
  { fieldVersions, ...profile }: Profile & { fieldVersions: FieldVersions },
  field: ProfileField,
): boolean {
  return profile[field] === null && fieldVersions[field] === undefined;
}

/** Returns the surviving customer's profile after a merge: its own fields win, unknown ones are filled from the merged customer. */
export function mergeProfiles(kept: CustomerRow, removed: CustomerRow): Patched {
  const filled = PROFILE_FIELDS.filter((field) => isUnknown(kept, field) && !isUnknown(removed, field));
  const take = (field: ProfileField) => (filled.includes(field) ? removed : kept);
  return {
    profile: {
      email: take("email").email,
      name: take("name").name,
      nameReading: take("nameReading").nameReading,
      birthday: take("birthday").birthday,
      acceptsMarketing: take("acceptsMarketing").acceptsMarketing,
      accountEnabled: take("accountEnabled").accountEnabled,
      locale: take("locale").locale,
      tags: take("tags").tags,
    },
    fieldVersions: {
      ...kept.fieldVersions,
      ...Object.fromEntries(
        filled.flatMap((field) => {
          const version = removed.fieldVersions[field];
          return version === undefined ? [] : [[field, filledVersion(field, version)]];
        }),
      ),
    },
    profileAt: kept.profileAt,
    consentAt: filled.includes("acceptsMarketing") ? removed.consentAt : kept.consentAt,
    changed: filled.filter((field) => removed[field] !== null),
  };
}

/**
 * Returns the patch for the surviving customer of an event under a merged customer's id: it fills unknown fields and changes none, whenever
 * it arrives. An event without a version, for example a person's request, always applies.
 */
export function patchOfMerged(stored: CustomerRow, patch: CustomerPatch): CustomerPatch {
  const isVersioned = patch.profileAt !== undefined || patch.consentAt !== undefined;
  if (patch.storefrontId === stored.storefrontId || !isVersioned) return patch;
  const fill = <K extends ProfileField>(field: K): Pick<CustomerPatch, K> | object =>
    isUnknown(stored, field) ? { [field]: patch[field] } : {};
  return {
    storefrontId: patch.storefrontId,
    isFilling: true,
    profileAt: patch.profileAt,
    consentAt: patch.consentAt,
    tagsAt: patch.tagsAt,
    ...fill("email"),
    ...fill("name"),
    ...fill("nameReading"),
    ...fill("birthday"),
    ...fill("acceptsMarketing"),
    ...fill("accountEnabled"),
    ...fill("locale"),
    ...fill("tags"),
  };
}
