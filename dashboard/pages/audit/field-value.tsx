import { useFormat } from "../../ui/values/use-format.ts";
import { useTopicName } from "../../words/topic-name.ts";
import { useWords } from "../../words/use-words.ts";
import { valueText } from "./value-text.ts";
import { words } from "./words.ts";

/** The names of fields' values; a value that is newer than this page is shown as it is. */
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A field's value for people: times in the store's zone, days and months, yes and no, lists with commas. */
export function FieldValue({ field, value }: { field: string; value: unknown }) {
  const t = useWords(words);
  const format = useFormat();
  const topicName = useTopicName();
  const named: Names = { role: t.roles, state: t.secretKeys, reason_type: t.reasons, kind: t.files };
  if (value === undefined || value === null || value === "") return t.absent;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (typeof value === "number") return format.number(value);
  if (field === "topic" && typeof value === "string") return topicName(value);
  if (typeof value === "string") return named[field]?.[value] ?? valueText(value, format);
  if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
    return value.map((one) => (typeof one === "string" ? valueText(one, format) : String(one))).join(", ");
  return <code>{JSON.stringify(value)}</code>;
}
