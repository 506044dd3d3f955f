import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ShownView } from "../../src/admin/saved-views/schema.ts";
import { VIEW_NAME_MAX, type ViewList } from "../../src/wire/saved-views.ts";
import { apiSend } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { useWords } from "../words/use-words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { faultOf } from "./fault-of.ts";
import { notifyFailed } from "./notify-failed.tsx";
import { viewWords } from "./view-words.ts";

interface ViewDialogProps {
  asked: "save" | "manage";
  list: ViewList;
  /** The filters that a view of the present list would store. */
  kept: Readonly<Record<string, string>>;
  /** Whether further filters are in use. */
  isPartly: boolean;
  views: readonly ShownView[];
  onClose(): void;
}

/** Saves the filters in use as a view of the list, or shows its views for removal. */
export function ViewDialog({ asked, views, list, onClose, ...filters }: ViewDialogProps) {
  if (asked === "manage") return <ManageDialog {...{ list, views, onClose }} />;
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

function ManageDialog({ list, views, onClose }: Pick<ViewDialogProps, "list" | "views" | "onClose">) {
  const t = useWords(viewWords);
  const client = useQueryClient();
  const [asked, setAsked] = useState<ShownView | null>(null);
  const remove = useMutation({
    mutationFn: (uid: string) => apiSend("DELETE", `/views/${uid}`, {}),
    onError: notifyFailed,
    onSettled: () => client.invalidateQueries({ queryKey: ["views", list] }), // also of one that somebody removed meanwhile
  });
  if (asked !== null) {
    const confirm = () => {
      remove.mutate(asked.uid);
      setAsked(null);
    };
    return (
      <ConfirmDialog
        opened
        title={t.removeTitle}
        confirm={t.remove}
        tone="bad"
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      >
        {t.removeWhat(asked.name)}
      </ConfirmDialog>
    );
  }
  return (
    <Modal opened onClose={onClose} title={t.manageTitle} closeButtonProps={{ "aria-label": t.close }}>
      <Stack gap={8} component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {views.map((view) => (
          <Group key={view.uid} component="li" justify="space-between" wrap="nowrap" gap={8}>
            <span style={{ overflowWrap: "anywhere" }}>
              {view.name}
              {view.is_shared ? ` · ${t.sharedBy(view.by)}` : ""}
            </span>
            {view.can_remove ? (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${t.remove}: ${view.name}`}
                loading={remove.isPending && remove.variables === view.uid}
                onClick={() => (view.is_own ? remove.mutate(view.uid) : setAsked(view))}
              >
                {t.remove}
              </Button>
            ) : null}
          </Group>
        ))}
        {views.length === 0 ? <li>{t.none}</li> : null}
      </Stack>
    </Modal>
  );
}
