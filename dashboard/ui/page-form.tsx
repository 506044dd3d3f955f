import { useBlocker } from "@tanstack/react-router";
import type { FormEvent, ReactNode } from "react";
import { useWords } from "../words/use-words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useEntered } from "./use-entered.ts";
import { words } from "./words.ts";

interface PageFormProps {
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Paths to which the form stays open, beside its own: those of the page's panels. */
  keptAt?: RegExp;
  className?: string | undefined;
  noValidate?: boolean;
  children: ReactNode;
}

/** A form of a page, not of a panel: before another page is opened, it asks whether text that was typed and not sent may be lost. */
export function PageForm({ onSubmit, keptAt, className, noValidate = false, children }: PageFormProps) {
  const t = useWords(words);
  const { onFocus, onInput, accept, hasEntered } = useEntered();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasEntered() && next.pathname !== current.pathname && keptAt?.test(next.pathname) !== true,
    enableBeforeUnload: false, // the shell asks
    withResolver: true,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    accept(event.currentTarget);
    onSubmit(event);
  };
  return (
    <>
      <form className={className} onFocus={onFocus} onInput={onInput} onSubmit={submit} noValidate={noValidate}>
        {children}
      </form>
      {blocker.status === "blocked" ? (
        <ConfirmDialog
          opened
          title={t.leaveTitle}
          confirm={t.leave}
          tone="bad"
          onConfirm={() => blocker.proceed()}
          onClose={() => blocker.reset()}
        >
          {t.discardText}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
