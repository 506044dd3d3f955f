import type { FilterBody } from "../../../src/admin/segments/schema.ts";
import { minorOf, moneyText, wholeOf } from "../../ui/forms/typed-number.ts";

/** A filter in its typed form; an empty text is no condition. */
export type FilterDraft = Readonly<Record<keyof FilterBody, string>>;

type Kind = "money" | "whole" | "text" | "tags" | "uids" | "flag";

const KINDS: Readonly<Record<keyof FilterBody, Kind>> = {
  spend_min: "money",
  spend_max: "money",
  orders_min: "whole",
  orders_max: "whole",
  ordered_within_days: "whole",
  not_ordered_for_days: "whole",
  activity: "text",
  active_within_days: "whole",
  points_min: "whole",
  points_max: "whole",
  expiring_within_months: "whole",
  tiers: "uids",
  tags: "tags",
  without_tags: "tags",
  birthday_month: "whole",
  accepts_marketing: "flag",
  language: "text",
  joined_within_days: "whole",
  joined_month: "text",
  first_ordered_month: "text",
  lapsed_month: "text",
};

export const FIELDS = Object.keys(KINDS) as readonly (keyof FilterBody)[]; // cast: the keys of the literal above

export function draftOf(filter: FilterBody, digits: number): FilterDraft {
  // cast: every field of the literal above
  return Object.fromEntries(FIELDS.map((name) => [name, textOf(filter, name, digits)])) as FilterDraft;
}

function textOf(filter: FilterBody, name: keyof FilterBody, digits: number): string {
  const value = filter[name];
  if (value === undefined) return "";
  if (KINDS[name] === "money") return moneyText(Number(value), digits);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/**
 * Returns the typed filter; an invalid text is sent unchanged, and refused with a fault. A condition that was not changed stays as it is in `stored`:
 * a tag with a comma is one tag, though as text it would be two.
 */
export function filterOf(draft: FilterDraft, digits: number, stored: FilterBody = {}): FilterBody {
  const entries = FIELDS.flatMap((name) => {
    const typed = draft[name].trim();
    if (typed === "") return [];
    const isSame = draft[name] === textOf(stored, name, digits);
    return [[name, isSame ? stored[name] : sentValue(KINDS[name], typed, digits)]];
  });
  return Object.fromEntries(entries);
}

/** Returns the tiers of a draft by their uids. */
export function tiersOf({ tiers }: Pick<FilterDraft, "tiers">): string[] {
  return tiers === "" ? [] : tiers.split(", ");
}

function sentValue(kind: Kind, typed: string, digits: number): unknown {
  switch (kind) {
    case "money":
      return minorOf(typed, digits) ?? typed;
    case "whole":
      return wholeOf(typed) ?? typed;
    case "flag":
      return typed === "true";
    case "uids":
      return tiersOf({ tiers: typed });
    case "tags": {
      const tags = typed.split(/[,、，]/).map((tag) => tag.trim());
      return tags.filter((tag) => tag !== "");
    }
    default:
      return typed;
  }
}
