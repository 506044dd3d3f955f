import type { ProgramDocument } from "../../../src/program/program-schema.ts";
import type { DraftChange } from "./draft/draft.ts";
import { TABS, type Tab } from "./settings.ts";

/** The place where a fault of the document is corrected. */
export interface FaultPlace extends Pick<DraftChange, "field" | "subject"> {
  /** The path of the page's part. */
  readonly to: string;
  /** The index of the campaign; null: none. */
  readonly campaign: number | null;
}

/** Returns the place for a JSON pointer into the document: `/campaigns/1/starts_at` is that campaign's panel. */
export function faultPlace(pointer: string, document: ProgramDocument): FaultPlace {
  const [section = "", ...rest] = pointer.slice(1).split("/");
  const list = LISTS.find(({ path }) => pointer.startsWith(`${path}/`));
  const field = [section, ...rest].join(".");
  if (list === undefined) return { field, subject: null, to: `/program/${tabOf({ field })}`, campaign: null };
  const [index = "", name = ""] = pointer.slice(list.path.length + 1).split("/");
  const campaign = list.tab === "campaigns" ? Number(index) : null;
  return {
    field: `${list.field}.${name}`,
    subject: list.nameOf(document, Number(index)) ?? "",
    to: campaign === null ? `/program/${list.tab}` : `/program/campaigns?open=${campaign}`,
    campaign,
  };
}

/** Returns the tab on which a field is set. */
export function tabOf({ field }: Pick<DraftChange, "field">): Tab {
  if (field.startsWith("earning.bonus_collections")) return "bonuses";
  const section = field.split(".")[0];
  return TABS.find((tab) => tab === section) ?? "store";
}

interface List {
  readonly path: string;
  readonly field: string;
  readonly tab: Tab;
  nameOf(document: ProgramDocument, index: number): string | undefined;
}

const LISTS: readonly List[] = [
  {
    path: "/campaigns",
    field: "campaigns",
    tab: "campaigns",
    nameOf: ({ campaigns }, index) => campaigns[index]?.name,
  },
  { path: "/tiers/rules", field: "tiers.rules", tab: "tiers", nameOf: ({ tiers }, index) => tiers.rules[index]?.name },
  {
    path: "/earning/bonus_collections",
    field: "earning.bonus_collections",
    tab: "bonuses",
    nameOf: ({ earning }, index) => {
      const bonus = earning.bonus_collections[index];
      return bonus?.name ?? bonus?.collection_id;
    },
  },
];
