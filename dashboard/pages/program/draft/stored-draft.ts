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

/** A stored draft and the id under which the page that made it keeps it. */
export interface FoundDraft extends StoredDraft {
  readonly id: string;
}

/** The needed functions of a browser's storage. */
type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const DAYS_KEPT = 30;
const DAY_MS = 86_400_000;
const KEPT_MAX = 10;
const PREFIX = "pointkeeper.program-draft.";

/** Each page has its own key, so that two tabs do not overwrite each other's draft. Older versions had one without an id. */
function keyOf(staffUid: string, id: string): string {
  const key = `${PREFIX}${staffUid}`;
  return id === "" ? key : `${key}.${id}`;
}

/** Returns the id of the draft that is kept under a key; null: it is not a draft of this person. */
export function draftIdOf(key: string, staffUid: string): string | null {
  const ofOlderVersion = keyOf(staffUid, "");
  if (key === ofOlderVersion) return "";
  return key.startsWith(`${ofOlderVersion}.`) ? key.slice(ofOlderVersion.length + 1) : null;
}

/** Returns the drafts that a person left, the newest first, without those that are too old or invalid. `now`: by the browser's clock. */
export function readStoredDrafts(storage: Storage, staffUid: string, now: number): readonly FoundDraft[] {
  try {
    const found = keysOf(storage).flatMap((key) => {
      const id = draftIdOf(key, staffUid);
      const draft = id === null ? null : parsedDraft(storage.getItem(key), now);
      return id === null || draft === null ? [] : [{ ...draft, id }];
    });
    return found.toSorted((a, b) => keptAtOf(b) - keptAtOf(a));
  } catch {
    return [];
  }
}

function keysOf(storage: Storage): readonly string[] {
  return Array.from({ length: storage.length }, (_, n) => storage.key(n) ?? "");
}

/** Removes everybody's drafts that are too old or invalid, and of a person all but the newest `KEPT_MAX`. `now`: by the browser's clock. */
export function removeOldDrafts(storage: Storage, staffUid: string, now: number): void {
  try {
    const drafts = keysOf(storage).filter((key) => key.startsWith(PREFIX));
    for (const key of drafts) if (parsedDraft(storage.getItem(key), now) === null) storage.removeItem(key);
  } catch {
    return; // a browser that stores nothing
  }
  for (const { id } of readStoredDrafts(storage, staffUid, now).slice(KEPT_MAX)) {
    writeStoredDraft(storage, staffUid, id, null);
  }
}

function parsedDraft(text: string | null, now: number): StoredDraft | null {
  try {
    const found: unknown = JSON.parse(text ?? "null");
    return isStoredDraft(found) && now - keptAtOf(found) < DAYS_KEPT * DAY_MS ? found : null;
  } catch {
    return null;
  }
}

function keptAtOf({ keptAt, savedAt }: StoredDraft): number {
  return keptAt ?? Date.parse(savedAt);
}

/** Stores a draft, or with null removes it. False: this browser stores nothing. */
export function writeStoredDraft(storage: Storage, staffUid: string, id: string, draft: StoredDraft | null): boolean {
  try {
    if (draft === null) storage.removeItem(keyOf(staffUid, id));
    else storage.setItem(keyOf(staffUid, id), JSON.stringify(draft));
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
