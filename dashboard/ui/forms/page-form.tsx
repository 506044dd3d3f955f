import { useIsMutating } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { useWords } from "../../words/use-words.ts";
import { ConfirmDialog } from "../layout/confirm-dialog.tsx";
import { readSearch } from "../urls/address.ts";
import { words } from "../words.ts";
import { hasEnteredText, hasSentForm } from "./entered-text.ts";
import { useAsking } from "./use-asking.ts";

/** The parameters of an address. */
type Search = Readonly<Record<string, string>>;

interface PageFormProps {
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Paths to which the form stays open, beside its own: those of the page's panels. */
  keptAt?: RegExp;
  /** Whether a move within these paths shows something else in the form's place. */
  isLeftBy?(from: Search, to: Search): boolean;
  className?: string | undefined;
  noValidate?: boolean;
  children: ReactNode;
}

/**
 * A form of a page, not of a panel: before another page is opened, it asks whether text that was typed and not saved may be lost, or says that it is
 * being sent. Once it is saved, the question has its answer.
 */
export function PageForm({ onSubmit, keptAt, isLeftBy, className, noValidate = false, children }: PageFormProps) {
  const t = useWords(words);
  const form = useRef<HTMLFormElement>(null);
  const hasEntered = () => form.current !== null && hasEnteredText(form.current);
  const { isAsking, discard, keep } = useAsking(({ currentLocation: from, nextLocation: to }) => {
    const isOtherPage = to.pathname !== from.pathname && keptAt?.test(to.pathname) !== true;
    return (isOtherPage || isLeftBy?.(readSearch(from.search), readSearch(to.search)) === true) && hasEntered();
  });
  const isSent = useIsMutating() > 0 && form.current !== null && hasSentForm(form.current);
  useEffect(() => {
    if (isAsking && !isSent && !hasEntered()) discard();
  });
  return (
    <>
      <form ref={form} className={className} onSubmit={onSubmit} noValidate={noValidate}>
        {children}
      </form>
      <ConfirmDialog
        opened={isAsking}
        title={isSent ? t.leaveSentTitle : t.leaveTitle}
        confirm={isSent ? t.leaveAnyway : t.leave}
        tone="bad"
        onConfirm={discard}
        onClose={keep}
      >
        {isSent ? t.leaveSentText : t.discardText}
      </ConfirmDialog>
    </>
  );
}
