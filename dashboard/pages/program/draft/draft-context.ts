import { createContext, useContext } from "react";
import type { ProgramState } from "../../../../src/admin/program/schema.ts";
import type { ProgramDocument } from "../../../../src/program/program-schema.ts";
import type { Format } from "../../../ui/values/format.ts";
import type { DraftChange } from "./draft.ts";

/** Changes that the person left in this browser, or has in another tab, offered until they decide. */
export interface LeftDraft {
  readonly id: string;
  readonly savedAt: string;
  /** Another tab changed it while this page was open. */
  readonly isElsewhere: boolean;
  readonly changes: readonly DraftChange[];
  /** Adds the changes to the present draft. */
  restore(): void;
  forget(): void;
}

/** The page's draft and the functions that its parts need. */
export interface Draft {
  /** The version on which the draft is based. */
  readonly program: ProgramState;
  /** The newest version: different from `program` if a person has applied one meanwhile. */
  readonly newest: ProgramState;
  /** In the form for editing; see document.ts. */
  readonly base: ProgramDocument;
  readonly document: ProgramDocument;
  readonly changes: readonly DraftChange[];
  /** The service's refusal of the present draft. */
  readonly refusal: unknown;
  readonly isEditable: boolean;
  /** Whether this browser keeps the draft over a reload. */
  readonly isStored: boolean;
  readonly lefts: readonly LeftDraft[];
  /** Formats money and times with the draft's currency and zone. */
  readonly format: Format;
  readonly digits: number;
  /** Formats a time of the store to the minute. */
  time(at: string): string;
  change(document: ProgramDocument): void;
  discard(): void;
  /** Removes what was sent and is done, and keeps what was changed since, on top of `newest`. */
  applied(sent: ProgramDocument, newest: ProgramState): void;
  /** Applies the changes to the newest version. */
  takeOver(): void;
  refuse(error: unknown): void;
}

export const DraftContext = createContext<Draft | null>(null);

export function useDraft(): Draft {
  const draft = useContext(DraftContext);
  if (draft === null) throw new Error("A part of the program's page is shown outside of it.");
  return draft;
}
