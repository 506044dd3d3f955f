import type { ProgramDocument } from "../../../src/program/program-schema.ts";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import type { Wide } from "../../words/words.ts";
import type { DraftChange } from "./draft/draft.ts";
import { tabOf } from "./fault-place.ts";
import { useFormatValue } from "./use-format-value.ts";
import { words } from "./words.ts";

interface ChangeListProps {
  readonly changes: readonly DraftChange[];
  readonly caption: string;
  /** The documents in whose order tiers are listed; absent: the draft's. */
  readonly tiersOf?: readonly ProgramDocument[];
}

/** The differences: setting, before, after. */
export function ChangeList({ changes, caption, tiersOf }: ChangeListProps) {
  const t = useWords(words);
  const m = useWords(fieldWords);
  const valueText = useFormatValue(tiersOf);
  return (
    <DataTable
      caption={caption}
      rows={changes}
      rowKey={({ field, subject, before }) => `${field} ${subject} ${before === undefined}`}
      empty={t.nothingToReview}
      columns={[
        { key: "field", header: t.setting, render: (change) => changeLabel(change, t, m) },
        { key: "before", header: t.before, render: ({ field, before }) => valueText(field, before) },
        { key: "after", header: t.after, render: ({ field, after }) => valueText(field, after) },
      ]}
    />
  );
}

/** Returns the name of a change's subject: "Rounding", "Summer: Starts", "Gold (added)". */
export function changeLabel(change: DraftChange, t: (typeof words)["en"], m: Wide<(typeof fieldWords)["en"]>): string {
  const { field, subject, before } = change;
  const labels: Readonly<Record<string, string>> = m.label;
  if (subject === null) return labels[field] ?? field;
  const where = t.tabs[tabOf(change)];
  const name = field.split(".").at(-1) ?? "";
  const fieldName = listFieldNames(t)[name];
  if (fieldName !== undefined) return `${where} · ${subject} · ${fieldName}`;
  return `${where} · ${subject} (${before === undefined ? t.added : t.removed})`;
}

function listFieldNames(t: (typeof words)["en"]): Readonly<Record<string, string>> {
  return {
    name: t.tierName,
    default: t.isDefault,
    currency_spent_requirement: t.requirement,
    point_value: t.pointsLabel,
    currency_value: t.perLabel,
    starts_at: t.starts,
    ends_at: t.ends,
    by_tier: t.ratesByTier,
    collection_id: t.collectionId,
  };
}
