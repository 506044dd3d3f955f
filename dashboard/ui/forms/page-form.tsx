import { type FormEvent, type ReactNode, useRef } from "react";
import { useWords } from "../../words/use-words.ts";
import { ConfirmDialog } from "../layout/confirm-dialog.tsx";
import { words } from "../words.ts";
import { hasEnteredText } from "./entered-text.ts";
import { useAsking } from "./use-asking.ts";

interface PageFormProps {
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Paths to which the form stays open, beside its own: those of the page's panels. */
  keptAt?: RegExp;
  className?: string | undefined;
  noValidate?: boolean;
  children: ReactNode;
}

/** A form of a page, not of a panel: before another page is opened, it asks whether text that was typed and not saved may be lost. */
export function PageForm({ onSubmit, keptAt, className, noValidate = false, children }: PageFormProps) {
  const t = useWords(words);
  const form = useRef<HTMLFormElement>(null);
  const hasEntered = () => form.current !== null && hasEnteredText(form.current);
  const { isAsking, discard, keep } = useAsking(
    ({ currentLocation, nextLocation: { pathname } }) =>
      pathname !== currentLocation.pathname && keptAt?.test(pathname) !== true && hasEntered(),
  );
  return (
    <>
      <form ref={form} className={className} onSubmit={onSubmit} noValidate={noValidate}>
        {children}
      </form>
      <ConfirmDialog
        opened={isAsking}
        title={t.leaveTitle}
        confirm={t.leave}
        tone="bad"
        onConfirm={discard}
        onClose={keep}
      >
        {t.discardText}
      </ConfirmDialog>
    </>
  );
}
