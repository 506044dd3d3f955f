import { Button } from "@mantine/core";
import { useState } from "react";
import { forgetPage } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

/** Ends every session of the account. */
export function SessionsPart() {
  const t = useWords(words);
  const [isAsking, setIsAsking] = useState(false);
  const end = useAccount("DELETE", "/sessions", () => undefined);
  return (
    <Section title={t.sessionsTitle}>
      <p className={classes["text"]}>{t.sessionsWhat}</p>
      <div>
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {t.sessionsEnd}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        title={t.sessionsEnd}
        confirm={t.sessionsEnd}
        tone="bad"
        isBusy={end.isPending}
        onConfirm={() => {
          forgetPage();
          end.mutate({});
        }}
        onClose={() => setIsAsking(false)}
      >
        {t.sessionsWhat}
      </ConfirmDialog>
    </Section>
  );
}
