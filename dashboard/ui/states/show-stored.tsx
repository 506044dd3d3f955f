import { Button } from "@mantine/core";
import type { MouseEvent } from "react";
import { isChangedMeanwhile } from "../../api/changed-meanwhile.ts";
import { useWords } from "../../words/use-words.ts";
import { forgetEnteredText } from "../forms/entered-text.ts";
import { words } from "../words.ts";

interface ShowStoredProps {
  /** Of saving the form. */
  error: unknown;
  /** Whether what is stored by now was read. */
  isRead: boolean;
  /** Replaces what was entered in the form. */
  onShow(): void;
}

/** After a form was refused because somebody else saved meanwhile: a button that shows what is stored now. */
export function ShowStored({ error, isRead, onShow }: ShowStoredProps) {
  const t = useWords(words);
  if (!isRead || !isChangedMeanwhile(error)) return null;
  const show = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    forgetEnteredText(currentTarget.form);
    onShow();
  };
  return (
    <Button variant="default" onClick={show}>
      {t.showStored}
    </Button>
  );
}
