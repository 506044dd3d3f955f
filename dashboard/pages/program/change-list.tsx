import { DataTable } from "../../ui/data-table.tsx";
import { memberWords } from "../../words/program-member-words.ts";
import { useWords } from "../../words/use-words.ts";
import type { Wide } from "../../words/words.ts";
import type { DraftChange } from "./draft.ts";
import { tabOf } from "./fault-place.ts";
import { useTellValue } from "./use-tell-value.ts";
import { words } from "./words.ts";

/** What differs: setting, before, after. */
export function ChangeList({ changes, caption }: { changes: readonly DraftChange[]; caption: string }) {
  const t = useWords(words);
  const m = useWords(memberWords);
  const tell = useTellValue();
  return (
    <DataTable
      caption={caption}
      rows={changes}
      rowKey={({ member, subject, before }) => `${member} ${subject} ${before === undefined}`}
      empty={t.nothingToReview}
      columns={[
        { key: "member", header: t.member, render: (change) => changeLabel(change, t, m) },
        { key: "before", header: t.before, render: ({ member, before }) => tell(member, before) },
        { key: "after", header: t.after, render: ({ member, after }) => tell(member, after) },
      ]}
    />
  );
}

/** The name of what a change is about: "Rounding", "Summer: Starts", "Gold (added)". */
export function changeLabel(change: DraftChange, t: (typeof words)["en"], m: Wide<(typeof memberWords)["en"]>): string {
  const { member, subject, before } = change;
  const labels: Readonly<Record<string, string>> = m.label;
  if (subject === null) return labels[member] ?? member;
  const where = t.tabs[tabOf(change)];
  const name = member.split(".").at(-1) ?? "";
  const memberName = listMemberNames(t)[name];
  if (memberName !== undefined) return `${where} · ${subject} · ${memberName}`;
  return `${where} · ${subject} (${before === undefined ? t.added : t.removed})`;
}

function listMemberNames(t: (typeof words)["en"]): Readonly<Record<string, string>> {
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
