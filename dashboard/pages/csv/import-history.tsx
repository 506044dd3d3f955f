import type { ImportDetail } from "../../../src/admin/csv/schema.ts";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { historyWords } from "./history-words.ts";

/** Who uploaded, started, approved and undid an import, and when. */
export function ImportHistory({ file }: { file: ImportDetail }) {
  const t = useWords(historyWords);
  const { approval, undo_approval: ofUndo } = file;
  const act = (label: string, by: string | null, at: string | null) =>
    by === null
      ? []
      : [
          [
            label,
            <>
              {by} · <Time at={at} />
            </>,
          ] as const,
        ];
  return (
    <Facts
      items={[
        ...act(t.uploadedBy, file.created_by, file.created_at),
        ...act(t.startedBy, file.started_by, file.started_at),
        ...act(t.approvedBy, approval?.by ?? null, approval?.at ?? null),
        ...act(t.undoneBy, file.undone_by, file.undone_at),
        ...act(t.undoApprovedBy, ofUndo?.by ?? null, ofUndo?.at ?? null),
        [t.id, <CopyId key="id" value={file.uid} />],
      ]}
    />
  );
}
