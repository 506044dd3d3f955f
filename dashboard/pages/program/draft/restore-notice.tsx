import { Button } from "@mantine/core";
import { useWords } from "../../../words/use-words.ts";
import { ChangeList } from "../change-list.tsx";
import classes from "../program.module.css";
import { type LeftDraft, useDraft } from "./draft-context.ts";
import { draftWords } from "./draft-words.ts";
import own from "./restore-notice.module.css";

/** Offers the drafts that the person left before a reload, or has in other tabs. */
export function RestoreNotices() {
  const { lefts } = useDraft();
  return lefts.map((left) => <RestoreNotice key={left.id} left={left} />);
}

function RestoreNotice({ left }: { left: LeftDraft }) {
  const t = useWords(draftWords);
  const { time, changes } = useDraft();
  const said = left.isElsewhere ? t.elsewhere : t.left;
  const title = said(time(left.savedAt));
  return (
    // what is being typed in another tab interrupts nobody
    <div className={classes["notice"]} role={left.isElsewhere ? "status" : "alert"}>
      <strong>{title}</strong>
      <ChangeList changes={left.changes} caption={title} />
      <span className={own["actions"]}>
        <Button variant="default" onClick={left.restore}>
          {changes.length === 0 ? t.restore : t.add}
        </Button>
        {left.isElsewhere ? null : (
          <Button variant="subtle" onClick={left.forget}>
            {t.forget}
          </Button>
        )}
      </span>
    </div>
  );
}
