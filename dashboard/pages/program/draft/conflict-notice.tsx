import { Button } from "@mantine/core";
import { useMemo } from "react";
import { useWords } from "../../../words/use-words.ts";
import { ChangeList } from "../change-list.tsx";
import classes from "../program.module.css";
import { words } from "../words.ts";
import { changesOf } from "./draft.ts";
import { useDraft } from "./draft-context.ts";

/** A person applied a version while this draft was made: who, what, and how to continue. */
export function ConflictNotice() {
  const t = useWords(words);
  const { program, newest, takeOver } = useDraft();
  const changes = useMemo(() => changesOf(program.document, newest.document), [program, newest]);
  if (program.version === newest.version) return null;
  return (
    <div className={classes["notice"]} role="alert">
      <strong>{t.conflict(newest.version, newest.author)}</strong>
      <ChangeList changes={changes} caption={t.conflict(newest.version, newest.author)} />
      <span>{t.conflictHint}</span>
      <Button className={classes["noticeAction"] ?? ""} variant="default" onClick={takeOver}>
        {t.takeOver}
      </Button>
    </div>
  );
}
