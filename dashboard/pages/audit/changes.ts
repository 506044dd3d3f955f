/** One field that was changed: its path, its value before, and its value after. `undefined`: it did not exist. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Fields = Readonly<Record<string, unknown>> | null;

/** Returns the fields that differ, each by its path (`earning.point_value`), in their order. A list is one field. */
export function changesOf(before: Fields, after: Fields): FieldChange[] {
  return differences("", before ?? {}, after ?? {});
}

function differences(path: string, before: unknown, after: unknown): FieldChange[] {
  if (!isObject(before) || !isObject(after)) {
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    return isSame ? [] : spread({ field: path, before, after });
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differences(path === "" ? name : `${path}.${name}`, before[name], after[name]));
}

/** An added or removed object is shown by its own fields. */
function spread({ field, before, after }: FieldChange): FieldChange[] {
  if (before === undefined && isObject(after) && Object.keys(after).length > 0) return differences(field, {}, after);
  if (after === undefined && isObject(before) && Object.keys(before).length > 0) {
    return differences(field, before, {});
  }
  return [{ field, before, after }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
