import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { useSession } from "../../api/session.ts";
import { profileWords } from "../../ui/forms/profile-words.ts";
import { useRaiseNames } from "../../ui/use-raise-names.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useTopicName } from "../../words/topic-name.ts";
import { useWords } from "../../words/use-words.ts";
import { estimateText } from "./estimate-text.ts";
import { auditListNames } from "./list-names.ts";
import { listOf } from "./list-of.ts";
import { useFilterText } from "./use-filter-text.ts";
import { valueText } from "./value-text.ts";
import { words } from "./words.ts";

/** The names of fields' values; a value that is newer than this page is shown as it is. */
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface FieldValueProps {
  entry: AuditEntry;
  field: string;
  value: unknown;
}

/** A field's value for people: times in the store's zone, days and months, yes and no, lists with commas, filters as their list calls them. */
export function FieldValue({ entry, field, value }: FieldValueProps) {
  const t = useWords(words);
  const format = useFormat();
  const { currency_digits: places } = useSession().store;
  const topicName = useTopicName();
  const lists = useWords(auditListNames);
  const raiseNames = useRaiseNames();
  const { profile } = useWords(profileWords);
  const filterText = useFilterText({ list: listOf(entry), filter: field.replace(/^filters?\./, "") });
  const hidden = { given: t.given };
  const named: Names = {
    ...{ role: t.roles, state: t.secretKeys, reason_type: t.reasons, kind: t.files, list: lists },
    ...{ q: hidden, customer: hidden, subject: hidden, subject_id: hidden, to: hidden },
  };
  const item = (one: string) => {
    const filter = filterText(one);
    if (filter !== null) return filter;
    if (field === "raises") return raiseNames([one]);
    return field === "fields" ? nameOf(profile, inSnakeCase(one)) : valueText(one, format);
  };
  if (value === undefined || value === null || value === "") return t.absent;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  const ofFilter = typeof value === "string" || typeof value === "number" ? filterText(value) : null;
  if (ofFilter !== null) return ofFilter;
  if (typeof value === "number")
    return (
      estimateText(field, value, { format, places, allMonths: t.allMonths }) ??
      format.number(isColumn(field) ? value + 1 : value)
    );
  if (field === "topic" && typeof value === "string") return topicName(value);
  if (typeof value === "string") return named[field]?.[value] ?? valueText(value, format);
  if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
    return value.map((one) => (typeof one === "string" ? item(one) : String(one))).join(", ");
  return <code>{JSON.stringify(value)}</code>;
}

/** The columns of a file are recorded from 0 on, and people count from 1. */
function isColumn(field: string): boolean {
  return field.startsWith("columns.");
}

/** A field of a customer is recorded as `name_reading` when the customer is entered, and as `nameReading` when it is edited. */
function inSnakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
