/** One member that a change touched: its path in words of the wire, what it was, what it is. `undefined`: it was not there. */
export interface MemberChange {
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Members = Readonly<Record<string, unknown>> | null;

/** The members that differ, each by its path (`earning.point_value`), in the order in which they stand. Lists are one member. */
export function changesOf(before: Members, after: Members): MemberChange[] {
  return differences("", before ?? {}, after ?? {});
}

function differences(path: string, before: unknown, after: unknown): MemberChange[] {
  if (!isMembers(before) || !isMembers(after)) {
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    return isSame ? [] : spread({ member: path, before, after });
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differences(path === "" ? name : `${path}.${name}`, before[name], after[name]));
}

/** A member that came or went with members of its own is told by those. */
function spread({ member, before, after }: MemberChange): MemberChange[] {
  if (before === undefined && isMembers(after) && Object.keys(after).length > 0) return differences(member, {}, after);
  if (after === undefined && isMembers(before) && Object.keys(before).length > 0) {
    return differences(member, before, {});
  }
  return [{ member, before, after }];
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
