import { EDITABLE_FIELDS, type EditableField } from "../../wire/profile-fields.ts";
import type { CustomerPatch, CustomerRow, Profile, ProfileField } from "../customer.ts";

/** The fields of a customer that people see and may edit. To them, no tags and unknown tags are the same. */
export interface EditableValues {
  readonly name: string | null;
  readonly name_reading: string | null;
  readonly email: string | null;
  readonly birthday: string | null;
  readonly accepts_marketing: boolean | null;
  readonly tags: readonly string[];
}

export function valuesOf({ name, nameReading, email, birthday, acceptsMarketing, tags }: Profile): EditableValues {
  return { name, name_reading: nameReading, email, birthday, accepts_marketing: acceptsMarketing, tags: tags ?? [] };
}

/** Returns the statement about a customer that entered values make; an absent one is unknown. */
export function patchOfValues(storefrontId: string, values: Partial<EditableValues>): CustomerPatch {
  const { accepts_marketing: acceptsMarketing, name_reading: nameReading, ...fields } = values;
  return { ...fields, storefrontId, acceptsMarketing, nameReading };
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
  if (field === "name_reading") return "nameReading";
  return field === "accepts_marketing" ? "acceptsMarketing" : field;
}
