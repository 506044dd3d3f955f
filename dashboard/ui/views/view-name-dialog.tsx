import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { VIEW_NAME_MAX, type ViewList } from "../../../src/wire/saved-views.ts";
import { useWords } from "../../words/use-words.ts";
import { faultOf } from "../forms/fault-of.ts";
import { CancelButton } from "../layout/cancel-button.tsx";
import { FormDialog } from "../layout/form-dialog.tsx";
import { notifyFailed } from "../states/notify-failed.tsx";
import { viewWords } from "./view-words.ts";

interface ViewNameDialogProps {
  title: string;
  confirm: string;
  list: ViewList;
  /** The present name, which is selected; "" of a new view. */
  present?: string;
  hint?: string | undefined;
  /** Stores the view under a name. */
  send(name: string): Promise<unknown>;
  onClose(): void;
  children?: ReactNode;
}

/** Asks for the name of a view, and stores it. */
export function ViewNameDialog({ present = "", list, send, onClose, ...shown }: ViewNameDialogProps) {
  const t = useWords(viewWords);
  const client = useQueryClient();
  const [name, setName] = useState(present);
  const save = useMutation({
    mutationFn: () => send(name),
    onError: (error) => {
      if (faultOf(error, "/name") === null) notifyFailed(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["views", list] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (present !== "" && name.trim() === present) onClose();
    else save.mutate(undefined, { onSuccess: onClose }); // not called any more once this dialog is closed
  };
  return (
    <FormDialog title={shown.title} close={t.cancel} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <TextInput
            label={t.name}
            description={shown.hint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onFocus={(event) => (present === "" ? undefined : event.currentTarget.select())}
            error={faultOf(save.error, "/name")}
            maxLength={VIEW_NAME_MAX}
            required
            data-autofocus
          />
          {shown.children}
          <Group justify="flex-end" gap={8}>
            <CancelButton>{t.cancel}</CancelButton>
            <Button type="submit" loading={save.isPending}>
              {shown.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
