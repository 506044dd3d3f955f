import { useFormat } from "../../ui/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useTopicName } from "../../words/topic-name.ts";
import { useWords } from "../../words/use-words.ts";
import { valueText } from "./value-text.ts";
import { words } from "./words.ts";

/** A value of a field, readable: times in the store's zone, days and months, yes and no, lists by commas. */
export function FieldValue({ field, value }: { field: string; value: unknown }) {
  const t = useWords(words);
  const format = useFormat();
  const topicName = useTopicName();
  if (value === undefined || value === null || value === "") return t.absent;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (typeof value === "number") return format.number(value);
  if (field === "role" && typeof value === "string") return nameOf(t.roles, value);
  if (field === "topic" && typeof value === "string") return topicName(value);
  if (field === "state" && typeof value === "string") return nameOf(t.secretKeys, value);
  if (typeof value === "string") return valueText(value, format);
  if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
    return value.map((one) => (typeof one === "string" ? valueText(one, format) : String(one))).join(", ");
  return <code>{JSON.stringify(value)}</code>;
}
