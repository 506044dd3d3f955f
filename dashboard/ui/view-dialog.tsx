import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ShownView } from "../../src/admin/saved-views/schema.ts";
import { VIEW_NAME_MAX, type ViewList } from "../../src/wire/saved-views.ts";
import { apiSend } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { useWords } from "../words/use-words.ts";
import { faultOf } from "./fault-of.ts";
import { notifyFailed } from "./notify-failed.tsx";
import { ViewManageDialog } from "./view-manage-dialog.tsx";
import { viewWords } from "./view-words.ts";

export interface ViewDialogProps {
  asked: "save" | "manage";
  list: ViewList;
  /** The filters that a view of the present list would store. */
  kept: Readonly<Record<string, string>>;
  /** Whether further filters are in use. */
  isPartly: boolean;
  views: readonly ShownView[];
  onClose(): void;
}

/** Saves the filters in use as a view of the list, or shows its views for changes. */
export function ViewDialog({ asked, views, list, onClose, ...filters }: ViewDialogProps) {
  if (asked === "manage") return <ViewManageDialog {...{ list, views, onClose }} {...filters} />;
  return <SaveDialog {...{ list, onClose }} {...filters} />;
}

function SaveDialog({ list, kept, isPartly, onClose }: Omit<ViewDialogProps, "asked" | "views">) {
  const t = useWords(viewWords);
  const client = useQueryClient();
  const mayShare = useSession().can("views.share");
  const [name, setName] = useState("");
  const [isShared, setIsShared] = useState(false);
  const save = useMutation({
    mutationFn: () => apiSend("POST", "/views", { list, name, filters: kept, is_shared: isShared }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["views", list] });
      onClose();
    },
    onError: (error) => {
      if (faultOf(error, "/name") === null) notifyFailed(error);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.saveTitle} closeButtonProps={{ "aria-label": t.cancel }}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <TextInput
            label={t.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultOf(save.error, "/name")}
            maxLength={VIEW_NAME_MAX}
            required
            data-autofocus
          />
          {mayShare ? (
            <Checkbox
              label={t.share}
              description={t.shareHint}
              checked={isShared}
              onChange={(event) => setIsShared(event.currentTarget.checked)}
            />
          ) : null}
          {isPartly ? <div>{t.partly}</div> : null}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t.saveDo}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
