import { createContext, useContext } from "react";
import type { ProgramState } from "../../../src/admin/program/schema.ts";
import type { ProgramDocument } from "../../../src/program/program-schema.ts";
import type { Format } from "../../ui/format.ts";
import type { DraftChange } from "./draft.ts";

/** Changes that the person left in this browser, offered until they decide. */
export interface LeftDraft {
  readonly savedAt: string;
  readonly changes: readonly DraftChange[];
  restore(): void;
  forget(): void;
}

/** The draft of the page and what its parts need of it. */
export interface Draft {
  /** The version that the draft is made from. */
  readonly program: ProgramState;
  /** The newest version: another than `program` when somebody applied one meanwhile. */
  readonly newest: ProgramState;
  /** As the page edits it; see document.ts. */
  readonly base: ProgramDocument;
  readonly document: ProgramDocument;
  readonly changes: readonly DraftChange[];
  /** What the service refused of the draft as it is. */
  readonly refusal: unknown;
  readonly isEditable: boolean;
  /** Whether this browser keeps the draft over a reload. */
  readonly isStored: boolean;
  readonly left: LeftDraft | null;
  /** Money and times as the draft's currency and zone write them. */
  readonly format: Format;
  readonly digits: number;
  /** A time of the store to the minute. */
  time(at: string): string;
  change(document: ProgramDocument): void;
  discard(): void;
  /** Carries the changes over to the newest version. */
  takeOver(): void;
  refuse(error: unknown): void;
}

export const DraftContext = createContext<Draft | null>(null);

export function useDraft(): Draft {
  const draft = useContext(DraftContext);
  if (draft === null) throw new Error("A part of the program's page is shown outside of it.");
  return draft;
}
