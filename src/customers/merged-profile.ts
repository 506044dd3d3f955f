import {
  type CustomerPatch,
  type CustomerRow,
  EMPTY_PROFILE,
  type MemberVersions,
  type Patched,
  type Profile,
  type ProfileMember,
} from "./customer.ts";

const PROFILE_MEMBERS = Object.keys(EMPTY_PROFILE) as readonly ProfileMember[]; // cast: keys of the constant

/** Nobody has said anything of the member, not even that there is none. */
function isUnknown(
  { memberVersions, ...profile }: Profile & { memberVersions: MemberVersions },
  member: ProfileMember,
): boolean {
  return profile[member] === null && memberVersions[member] === undefined;
}

/** The surviving customer's profile after a merge: its own members win, unknown ones are filled with the merged customer's. */
export function mergeProfiles(kept: CustomerRow, removed: CustomerRow): Patched {
  const filled = PROFILE_MEMBERS.filter((member) => isUnknown(kept, member) && !isUnknown(removed, member));
  const take = (member: ProfileMember) => (filled.includes(member) ? removed : kept);
  return {
    profile: {
      email: take("email").email,
      name: take("name").name,
      birthday: take("birthday").birthday,
      acceptsMarketing: take("acceptsMarketing").acceptsMarketing,
      accountEnabled: take("accountEnabled").accountEnabled,
      tags: take("tags").tags,
    },
    memberVersions: {
      ...kept.memberVersions,
      ...Object.fromEntries(
        Object.entries(removed.memberVersions).filter(([member]) => filled.some((name) => name === member)),
      ),
    },
    profileAt: kept.profileAt,
    consentAt: filled.includes("acceptsMarketing") ? removed.consentAt : kept.consentAt,
    changed: filled.filter((member) => removed[member] !== null),
  };
}

/**
 * What an event under the id of a merged customer says of the surviving one: it fills unknown members and changes none, whenever
 * it comes. An event without a version, a request of a person say, holds.
 */
export function patchOfMerged(stored: CustomerRow, patch: CustomerPatch): CustomerPatch {
  const isVersioned = patch.profileAt !== undefined || patch.consentAt !== undefined;
  if (patch.storefrontId === stored.storefrontId || !isVersioned) return patch;
  const fill = <K extends ProfileMember>(member: K): Pick<CustomerPatch, K> | object =>
    isUnknown(stored, member) ? { [member]: patch[member] } : {};
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
    ...fill("tags"),
  };
}
