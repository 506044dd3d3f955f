import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ShownView } from "../../../src/admin/saved-views/schema.ts";
import type { ViewList } from "../../../src/wire/saved-views.ts";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY } from "../../api/session.ts";
import { useWords } from "../../words/use-words.ts";
import { ConfirmDialog } from "../layout/confirm-dialog.tsx";
import { notifyFailed } from "../states/notify-failed.tsx";
import { useChangeDefaultView, useDefaultViews } from "./use-default-views.ts";
import { hasSameFilters } from "./view-filters.ts";
import classes from "./view-manage-dialog.module.css";
import { ViewNameDialog } from "./view-name-dialog.tsx";
import { viewWords } from "./view-words.ts";

type Filters = Readonly<Record<string, string>>;

interface ManageDialogProps {
  list: ViewList;
  views: readonly ShownView[];
  /** The filters that a view of the present list would store. */
  kept: Filters;
  /** Whether further filters are in use. */
  isPartly: boolean;
  onClose(): void;
}

interface Asked {
  readonly action: "rename" | "replace" | "remove";
  readonly view: ShownView;
}

/** The views of a list: each can be renamed, replaced by the filters in use, made the one with which the list opens, and removed. */
export function ViewManageDialog({ list, views, kept, isPartly, onClose }: ManageDialogProps) {
  const t = useWords(viewWords);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [lastUid, setLastUid] = useState<string | null>(null);
  const { remove, replace } = useViewChanges(list);
  const ask = (next: Asked) => {
    setLastUid(next.view.uid);
    setAsked(next);
  };
  const back = () => setAsked(null);
  if (asked?.action === "rename") {
    const { uid, name, is_shared: isShared } = asked.view;
    return (
      <ViewNameDialog
        title={t.renameTitle}
        confirm={t.renameDo}
        list={list}
        present={name}
        hint={isShared ? t.shareHint : undefined}
        send={(next) => apiSend("PUT", `/views/${uid}`, { name: next })}
        onClose={back}
      />
    );
  }
  if (asked?.action === "replace") {
    const confirm = () => {
      replace.mutate({ uid: asked.view.uid, filters: kept });
      back();
    };
    return (
      <ConfirmDialog opened title={t.replaceTitle} confirm={t.replaceDo} onConfirm={confirm} onClose={back}>
        <p>{asked.view.is_shared ? t.replaceShared(asked.view.name) : t.replaceOwn(asked.view.name)}</p>
        {isPartly ? <p>{t.partly}</p> : null}
      </ConfirmDialog>
    );
  }
  if (asked?.action === "remove") {
    const confirm = () => {
      remove.mutate(asked.view.uid);
      back();
    };
    return (
      <ConfirmDialog opened title={t.removeTitle} confirm={t.remove} tone="bad" onConfirm={confirm} onClose={back}>
        {t.removeWhat(asked.view.name)}
      </ConfirmDialog>
    );
  }
  const rowProps = { kept, onAsk: ask, onRemove: remove.mutate };
  return (
    <Modal opened onClose={onClose} title={t.manageTitle} closeButtonProps={{ "aria-label": t.close }}>
      <Stack gap={16} component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {views.map((view) => (
          <ViewRow
            key={view.uid}
            {...rowProps}
            view={view}
            isFocused={view.uid === lastUid}
            isRemoving={remove.isPending && remove.variables === view.uid}
          />
        ))}
        {views.length === 0 ? <li>{t.none}</li> : null}
      </Stack>
    </Modal>
  );
}

function useViewChanges(list: ViewList) {
  const client = useQueryClient();
  const done = {
    onError: notifyFailed,
    // also of one that somebody removed meanwhile; the session has the filters of the default view
    onSettled: () =>
      Promise.all([["views", list], SESSION_KEY].map((queryKey) => client.invalidateQueries({ queryKey }))),
  };
  const remove = useMutation({ mutationFn: (uid: string) => apiSend("DELETE", `/views/${uid}`, {}), ...done });
  const replace = useMutation({
    mutationFn: ({ uid, filters }: { uid: string; filters: Filters }) => apiSend("PUT", `/views/${uid}`, { filters }),
    ...done,
  });
  return { remove, replace };
}

interface ViewRowProps extends Pick<ManageDialogProps, "kept"> {
  view: ShownView;
  /** Whether a dialog about it was closed last. */
  isFocused: boolean;
  isRemoving: boolean;
  onAsk(asked: Asked): void;
  onRemove(uid: string): void;
}

function ViewRow({ view, kept, isFocused, isRemoving, onAsk, onRemove }: ViewRowProps) {
  const t = useWords(viewWords);
  const isDefault = useDefaultViews().some(({ uid }) => uid === view.uid);
  const change = useChangeDefaultView();
  const canReplace = view.can_change && Object.keys(kept).length > 0 && !hasSameFilters(view.filters, kept);
  const button = (label: string, onClick: () => void, more: object = {}): ReactNode => (
    <Button size="compact-sm" variant="default" aria-label={`${label}: ${view.name}`} onClick={onClick} {...more}>
      {label}
    </Button>
  );
  return (
    <li className={classes["row"]}>
      <div className={classes["name"]}>
        <strong translate="no">{view.name}</strong>
        {view.is_shared ? ` · ${t.sharedBy(view.by)}` : ""}
        {isDefault ? ` · ${t.isDefault}` : ""}
      </div>
      <Group gap={8}>
        {button(isDefault ? t.noDefault : t.makeDefault, () => change.mutate({ uid: view.uid, isDefault: !isDefault }))}
        {view.can_change
          ? button(t.rename, () => onAsk({ action: "rename", view }), { "data-autofocus": isFocused || undefined })
          : null}
        {canReplace ? button(t.replace, () => onAsk({ action: "replace", view })) : null}
        {view.can_change
          ? button(t.remove, () => (view.is_own ? onRemove(view.uid) : onAsk({ action: "remove", view })), {
              loading: isRemoving,
            })
          : null}
      </Group>
    </li>
  );
}
