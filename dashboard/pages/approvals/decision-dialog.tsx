import { Button, Group, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { RequestRow } from "../../../src/admin/approvals/schema.ts";
import { WIRE_NOTE_MAX } from "../../../src/wire/limits.ts";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY, useSession } from "../../api/session.ts";
import { CancelButton } from "../../ui/layout/cancel-button.tsx";
import { FormDialog } from "../../ui/layout/form-dialog.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useRaiseNames } from "../../ui/use-raise-names.ts";
import { customerName } from "../../ui/values/customer-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { words as uiWords } from "../../ui/words.ts";
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
  const ui = useWords(uiWords);
  const { can } = useSession();
  const [note, setNote] = useState("");
  const decide = useDecide(row, decision, onClose);
  const kinds: Readonly<Record<string, string>> = t.kinds;
  const kind = kinds[row.kind] ?? row.kind;
  const titles = { approve: t.approveTitle(kind), refuse: t.refuseTitle(kind), withdraw: t.withdrawTitle };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    decide.mutate(note);
  };
  return (
    <FormDialog title={titles[decision]} close={ui.close} onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          <Effect {...{ row, decision }} />
        </p>
        {row.program === null || decision === "withdraw" || !can("program.change") ? null : (
          <p>
            <PageLink to={requestedPath(row)} asksToLeave>
              {t.showEffect}
            </PageLink>
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
        <Group justify="flex-end" gap={8} mt={16}>
          <CancelButton>{ui.cancel}</CancelButton>
          <Button
            type="submit"
            {...(decision === "refuse" ? { color: "red" } : {})}
            loading={decide.isPending}
            data-autofocus={!decide.isPending || undefined}
          >
            {t[decision]}
          </Button>
        </Group>
      </form>
    </FormDialog>
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
