import type { ProgramDocument } from "../../../../src/program/program-schema.ts";

/** A draft that this browser keeps for one person, over reloads and sign-ins. */
export interface StoredDraft {
  /** The document on which it is based. */
  readonly base: ProgramDocument;
  readonly document: ProgramDocument;
  /** By the service's clock, as it is shown. */
  readonly savedAt: string;
  /** By the browser's clock, in milliseconds; older versions did not store it. */
  readonly keptAt?: number;
}

/** The needed functions of a browser's storage. */
type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

const DAYS_KEPT = 30;
const DAY_MS = 86_400_000;

function keyOf(staffUid: string): string {
  return `pointkeeper.program-draft.${staffUid}`;
}

/** Returns the draft that a person left; null: none, or it is too old or invalid. `now`: by the browser's clock. */
export function readStoredDraft(storage: Storage, staffUid: string, now: number): StoredDraft | null {
  try {
    const found: unknown = JSON.parse(storage.getItem(keyOf(staffUid)) ?? "null");
    if (!isStoredDraft(found)) return null;
    return now - (found.keptAt ?? Date.parse(found.savedAt)) < DAYS_KEPT * DAY_MS ? found : null;
  } catch {
    return null;
  }
}

/** Stores a draft, or with null removes it. False: this browser stores nothing. */
export function writeStoredDraft(storage: Storage, staffUid: string, draft: StoredDraft | null): boolean {
  try {
    if (draft === null) storage.removeItem(keyOf(staffUid));
    else storage.setItem(keyOf(staffUid), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

const SECTIONS = ["store", "earning", "campaigns", "tiers"] as const;

function isStoredDraft(value: unknown): value is StoredDraft {
  if (typeof value !== "object" || value === null) return false;
  const { base, document, savedAt, keptAt = 0 } = value as Partial<Record<keyof StoredDraft, unknown>>; // cast: an object
  const hasTimes = typeof savedAt === "string" && !Number.isNaN(Date.parse(savedAt)) && typeof keptAt === "number";
  return isDocument(base) && isDocument(document) && hasTimes;
}

function isDocument(value: unknown): boolean {
  return typeof value === "object" && value !== null && SECTIONS.every((section) => section in value);
}
