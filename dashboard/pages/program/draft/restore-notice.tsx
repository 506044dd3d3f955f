import { Button } from "@mantine/core";
import { useWords } from "../../../words/use-words.ts";
import { ChangeList } from "../change-list.tsx";
import classes from "../program.module.css";
import { useDraft } from "./draft-context.ts";
import { draftWords } from "./draft-words.ts";
import own from "./restore-notice.module.css";

/** Offers the draft that the person left before a reload. */
export function RestoreNotice() {
  const t = useWords(draftWords);
  const { left, time } = useDraft();
  if (left === null) return null;
  const title = t.left(time(left.savedAt));
  return (
    <div className={classes["notice"]} role="alert">
      <strong>{title}</strong>
      <ChangeList changes={left.changes} caption={title} />
      <span className={own["actions"]}>
        <Button variant="default" onClick={left.restore}>
          {t.restore}
        </Button>
        <Button variant="subtle" onClick={left.forget}>
          {t.forget}
        </Button>
      </span>
    </div>
  );
}
