import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { ShownView } from "../../../src/admin/saved-views/schema.ts";
import type { ViewList } from "../../../src/wire/saved-views.ts";
import { apiSend } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { useWords } from "../../words/use-words.ts";
import { ViewManageDialog } from "./view-manage-dialog.tsx";
import { ViewNameDialog } from "./view-name-dialog.tsx";
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
  const mayShare = useSession().can("views.share");
  const [isShared, setIsShared] = useState(false);
  const send = (name: string) => apiSend("POST", "/views", { list, name, filters: kept, is_shared: isShared });
  return (
    <ViewNameDialog title={t.saveTitle} confirm={t.saveDo} {...{ list, send, onClose }}>
      {mayShare ? (
        <Checkbox
          label={t.share}
          description={t.shareHint}
          checked={isShared}
          onChange={(event) => setIsShared(event.currentTarget.checked)}
        />
      ) : null}
      {isPartly ? <div>{t.partly}</div> : null}
    </ViewNameDialog>
  );
}
