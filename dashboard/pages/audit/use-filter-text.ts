import { useQuery } from "@tanstack/react-query";
import type { SegmentsAnswer } from "../../../src/admin/segments/schema.ts";
import { apiQuery } from "../../api/client.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { words as uiWords } from "../../ui/words.ts";
import { ALLOTMENT_TYPES } from "../../words/allotment-words.ts";
import { filterNames } from "../../words/filter-names.ts";
import { useLanguage } from "../../words/language.tsx";
import { nameOf } from "../../words/name-of.ts";
import { useReceiptWords } from "../../words/receipt-words.ts";
import { useTopicName } from "../../words/topic-name.ts";
import { useWords } from "../../words/use-words.ts";
import { actionText, subjectText } from "./action-words.ts";
import { useAuditChoices } from "./use-audit.ts";
import { words } from "./words.ts";

/** Filters of which a value is a tier, by their list. */
const TIER_FILTERS = new Set([
  ...["customers.tier", "segments.tiers", "growth-moves.from", "growth-moves.to", "growth-stays.tier"],
]);

interface RecordedFilter {
  /** The list, by the name of its file. */
  readonly list: string | null;
  readonly filter: string;
}

/** Returns the text of a value of a list's filter; null: it has no name of its own. */
export function useFilterText({ list, filter }: RecordedFilter): (value: string | number) => string | null {
  const format = useFormat();
  const { language } = useLanguage();
  const receipts = useReceiptWords();
  const topicName = useTopicName();
  const values: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> =
    useWords(filterNames);
  const actor = useActorName();
  const tier = useTierName(TIER_FILTERS.has(`${list}.${filter}`));
  const special: Readonly<Record<string, (value: string) => string>> = {
    "audit.action": (value) => actionText(value, language),
    "audit.actor": actor,
    "audit.subject_kind": (value) => subjectText(value, language),
    "intake-receipts.topic": receipts.topic,
    "ledger.type": (value) => format.list(value.split(",").map((type) => nameOf(ALLOTMENT_TYPES[language], type))),
    "segments.birthdayMonth": (value) => format.monthName(Number(value)),
    "segments.language": format.languageName,
    "segments.spendMax": (value) => format.money(Number(value)),
    "segments.spendMin": (value) => format.money(Number(value)),
    "webhooks-deliveries.topic": topicName,
  };
  return (value) => {
    if (list === null) return null;
    return (
      values[list]?.[filter]?.[value] ?? tier?.(String(value)) ?? special[`${list}.${filter}`]?.(String(value)) ?? null
    );
  };
}

/** Returns the name of whom the log itself was filtered by: a person, a credential or a kind of actors. */
function useActorName(): (id: string) => string {
  const t = useWords(words);
  const { data } = useAuditChoices();
  const kinds: Readonly<Record<string, string>> = { ...t.kinds, command: t.allCommands, system: t.theService };
  return (id) => kinds[id] ?? data?.actors.find((one) => one.id === id)?.name ?? id;
}

/** Returns the name of a tier as it is called now; null: no value is a tier. */
function useTierName(isTier: boolean): ((uid: string) => string) | null {
  const { removedTier } = useWords(uiWords);
  const { data } = useQuery({
    queryKey: ["segments", "all"],
    queryFn: apiQuery<SegmentsAnswer>("/segments"),
    enabled: isTier,
  });
  if (!isTier) return null;
  return (uid) => (data === undefined ? uid : (data.tiers.find((tier) => tier.uid === uid)?.name ?? removedTier));
}
