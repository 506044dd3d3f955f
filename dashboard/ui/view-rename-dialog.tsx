import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ShownView } from "../../src/admin/saved-views/schema.ts";
import { VIEW_NAME_MAX, type ViewList } from "../../src/wire/saved-views.ts";
import { apiSend } from "../api/client.ts";
import { useWords } from "../words/use-words.ts";
import { faultOf } from "./fault-of.ts";
import { notifyFailed } from "./notify-failed.tsx";
import { viewWords } from "./view-words.ts";

interface ViewRenameDialogProps {
  list: ViewList;
  view: ShownView;
  onClose(): void;
}

/** Gives a view another name. */
export function ViewRenameDialog({ list, view, onClose }: ViewRenameDialogProps) {
  const t = useWords(viewWords);
  const client = useQueryClient();
  const [name, setName] = useState(view.name);
  const save = useMutation({
    mutationFn: () => apiSend("PUT", `/views/${view.uid}`, { name }),
    onSuccess: onClose,
    onError: (error) => {
      if (faultOf(error, "/name") === null) notifyFailed(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["views", list] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === view.name) onClose();
    else save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.renameTitle} closeButtonProps={{ "aria-label": t.cancel }}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <TextInput
            label={t.name}
            description={view.is_shared ? t.shareHint : undefined}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            error={faultOf(save.error, "/name")}
            maxLength={VIEW_NAME_MAX}
            required
            data-autofocus
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t.renameDo}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
