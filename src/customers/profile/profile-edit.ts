import { EDITABLE_FIELDS, type EditableField } from "../../wire/profile-fields.ts";
import type { CustomerRow, Profile, ProfileField } from "../customer.ts";

/** The fields of a customer that people see and may edit. To them, no tags and unknown tags are the same. */
export interface EditableValues {
  readonly name: string | null;
  readonly email: string | null;
  readonly birthday: string | null;
  readonly accepts_marketing: boolean | null;
  readonly tags: readonly string[];
}

export function valuesOf({ name, email, birthday, acceptsMarketing, tags }: Profile): EditableValues {
  return { name, email, birthday, accepts_marketing: acceptsMarketing, tags: tags ?? [] };
}

/** Returns the fields that the store's platform has stated: it sends them again, whatever is entered here (decision 57). */
export function platformFields({ fieldVersions }: Pick<CustomerRow, "fieldVersions">): EditableField[] {
  return EDITABLE_FIELDS.filter((field) => fieldVersions[storedName(field)] !== undefined);
}

/** Whether two values of a field are the same to a reader: tags in any order, each once. */
export function sameValues(a: EditableValues[EditableField], b: EditableValues[EditableField]): boolean {
  return JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));
}

function comparable(value: EditableValues[EditableField]): unknown {
  return typeof value === "object" && value !== null ? [...new Set(value)].sort() : value;
}

function storedName(field: EditableField): ProfileField {
  return field === "accepts_marketing" ? "acceptsMarketing" : field;
}
