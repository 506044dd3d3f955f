import type { FilterBody } from "../../../src/admin/segments/schema.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";
import { FIELDS } from "./filter-draft.ts";
import { useLanguageName } from "./language-name.ts";
import { words } from "./words.ts";

interface FilterTextProps {
  filter: FilterBody;
  tiers: readonly { uid: string; name: string }[];
}

/** The conditions of a filter in words. */
export function FilterText({ filter, tiers }: FilterTextProps) {
  const t = useWords(words);
  const format = useFormat();
  const { removedTier } = useWords(uiWords);
  const tierName = (uid: string) => tiers.find((tier) => tier.uid === uid)?.name ?? removedTier;
  const monthOf = (month: string | undefined) => (month === undefined ? "" : format.month(month));
  const languageName = useLanguageName();
  const special: Partial<Record<keyof FilterBody, () => string>> = {
    activity: () => (filter.activity === undefined ? "" : t.activities[filter.activity]),
    accepts_marketing: () => (filter.accepts_marketing === true ? t.yes : t.no),
    language: () => languageName(filter.language ?? ""),
    spend_min: () => format.money(filter.spend_min ?? 0),
    spend_max: () => format.money(filter.spend_max ?? 0),
    joined_month: () => monthOf(filter.joined_month),
    first_ordered_month: () => monthOf(filter.first_ordered_month),
    lapsed_month: () => monthOf(filter.lapsed_month),
    birthday_month: () => (filter.birthday_month === undefined ? "" : format.monthName(filter.birthday_month)),
    tiers: () => format.list((filter.tiers ?? []).map(tierName)),
  };
  const plain = (value: FilterBody[keyof FilterBody]) => {
    if (Array.isArray(value)) return format.list(value);
    return typeof value === "number" ? format.number(value) : String(value);
  };
  const textOf = (name: keyof FilterBody): string => special[name]?.() ?? plain(filter[name]);
  const given = FIELDS.filter((name) => filter[name] !== undefined);
  return given.length === 0 ? t.everybody : given.map((name) => `${t.fields[name]}: ${textOf(name)}`).join(" · ");
}
