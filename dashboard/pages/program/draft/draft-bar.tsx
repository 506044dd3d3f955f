import { Button } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../../../ui/layout/confirm-dialog.tsx";
import { useNavigateTo } from "../../../ui/urls/use-navigate-to.ts";
import { fieldWords } from "../../../words/program-field-words.ts";
import { useWords } from "../../../words/use-words.ts";
import { changeLabel } from "../change-list.tsx";
import classes from "../program.module.css";
import { words } from "../words.ts";
import { useDraft } from "./draft-context.ts";

const NAMED_MAX = 3;

/** A bar at the foot of the page with the changes that are not applied yet, and a link to their review. */
export function DraftBar() {
  const t = useWords(words);
  const m = useWords(fieldWords);
  const go = useNavigateTo();
  const { changes, discard } = useDraft();
  const [isAsking, setIsAsking] = useState(false);
  if (changes.length === 0) return null;
  const named = changes.slice(0, NAMED_MAX).map((change) => changeLabel(change, t, m));
  return (
    <div className={classes["bar"]} role="status">
      <span className={classes["barText"]}>
        <strong>{t.unsaved(changes.length)}</strong>
        <span className={classes["hint"]}>
          {named.join(", ")}
          {changes.length > NAMED_MAX ? " …" : ""}
        </span>
      </span>
      <span className={classes["barActions"]}>
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {t.discard}
        </Button>
        <Button onClick={() => go("/program/review")}>{t.review}</Button>
      </span>
      <ConfirmDialog
        opened={isAsking}
        title={t.discardTitle}
        confirm={t.discard}
        tone="bad"
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          discard();
        }}
      >
        {t.discardText}
      </ConfirmDialog>
    </div>
  );
}
