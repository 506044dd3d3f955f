import { Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RequestRow } from "../../../src/admin/approvals/schema.ts";
import { WIRE_NOTE_MAX } from "../../../src/wire/limits.ts";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useRaiseNames } from "../../ui/use-raise-names.ts";
import { customerName } from "../../ui/values/customer-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { requestedPath } from "./request-parts.tsx";
import { words } from "./words.ts";

export type Decision = "approve" | "refuse" | "withdraw";

interface DecisionDialogProps {
  row: RequestRow;
  decision: Decision;
  onClose(): void;
}

/** Asks for a confirmation before a request is decided, with an optional note. */
export function DecisionDialog({ row, decision, onClose }: DecisionDialogProps) {
  const t = useWords(words);
  const [note, setNote] = useState("");
  const decide = useDecide(row, decision, onClose);
  const kinds: Readonly<Record<string, string>> = t.kinds;
  const kind = kinds[row.kind] ?? row.kind;
  const titles = { approve: t.approveTitle(kind), refuse: t.refuseTitle(kind), withdraw: t.withdrawTitle };
  return (
    <ConfirmDialog
      opened
      title={titles[decision]}
      confirm={t[decision]}
      {...(decision === "refuse" ? { tone: "bad" as const } : {})} // cast: the only other tone
      onConfirm={() => decide.mutate(note)}
      onClose={onClose}
      isBusy={decide.isPending}
    >
      <p>
        <Effect {...{ row, decision }} />
      </p>
      {row.program === null || decision === "withdraw" ? null : (
        <p>
          <PageLink to={requestedPath(row)}>{t.showEffect}</PageLink>
        </p>
      )}
      {decision === "withdraw" ? null : (
        <Textarea
          label={t.note}
          value={note}
          onChange={(event) => setNote([...event.currentTarget.value].slice(0, WIRE_NOTE_MAX).join(""))}
          rows={2}
        />
      )}
    </ConfirmDialog>
  );
}

function Effect({ row, decision }: { row: RequestRow; decision: Decision }) {
  const t = useWords(words);
  const format = useFormat();
  const raiseNames = useRaiseNames();
  const { file, program, customer, merge } = row;
  if (decision === "withdraw") return t.withdrawText;
  if (decision === "refuse") return t.refuseText;
  if (program !== null) return t.approveProgram(raiseNames(program.raises));
  if (file !== null) {
    const text = row.kind === "import" ? t.approveImport : t.approveUndo;
    return text(file.file_name, format.points(file.points_added), format.points(file.points_taken));
  }
  const name = customer === null ? "" : customerName(customer);
  if (merge !== null) return t.approveMerge(merge.removed_id, name, format.points(row.point_value));
  if (row.balance !== null) return t.approveSet(format.points(row.balance), name);
  return t.approveText(format.points(row.point_value, true), name);
}

function useDecide(row: RequestRow, decision: Decision, onClose: () => void) {
  const t = useWords(words);
  const client = useQueryClient();
  const done = { approve: t.approved, refuse: t.refused, withdraw: t.withdrawn };
  return useMutation({
    mutationFn: (note: string) =>
      apiSend("POST", `/approvals/${row.uid}/${decision}`, { note: note.trim() === "" ? null : note.trim() }),
    onSuccess: () => {
      onClose();
      notifyDone(done[decision]);
    },
    onError: notifyFailed,
    onSettled: () =>
      Promise.all(
        [["customers"], ["approvals"], ["ledger"], ["imports"], ["program"], SESSION_KEY].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
