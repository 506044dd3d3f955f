import { type ReactNode, useState } from "react";
import type { ProgramDocument } from "../../../../src/program/program-schema.ts";
import { ConfirmDialog } from "../../../ui/layout/confirm-dialog.tsx";
import { useNavigateTo } from "../../../ui/urls/use-navigate-to.ts";
import { useWords } from "../../../words/use-words.ts";
import { editable } from "../document.ts";
import { words } from "../words.ts";
import { useDraft } from "./draft-context.ts";

/** Replaces the draft by a complete document, after a confirmation if one would be lost, and opens its review. */
export function useReplaceDraft(): { replace(document: ProgramDocument): void; dialog: ReactNode } {
  const t = useWords(words);
  const go = useNavigateTo();
  const { changes, change } = useDraft();
  const [waiting, setWaiting] = useState<ProgramDocument | null>(null);
  const take = (document: ProgramDocument) => {
    setWaiting(null);
    change(editable(document));
    go("/program/review");
  };
  const dialog = (
    <ConfirmDialog
      opened={waiting !== null}
      title={t.replaceDraft}
      confirm={t.replace}
      onClose={() => setWaiting(null)}
      onConfirm={() => waiting !== null && take(waiting)}
    >
      {t.replaceDraftText}
    </ConfirmDialog>
  );
  return { replace: (document) => (changes.length === 0 ? take(document) : setWaiting(document)), dialog };
}
