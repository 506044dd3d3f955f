import { isRecord } from "./document-reader.ts";
import type { Program } from "./program.ts";
import { type ProgramDocument, programReader } from "./program-schema.ts";

/** One field that differs between two documents. */
export interface ProgramChange {
  /** JSON pointer into the document. */
  readonly pointer: string;
  /** The values before and after; absent: the field is not in that document. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Returns the complete document that results when a complete or partial document is applied on top of the present one (program.md 9): given
 * fields replace, others stay; lists (tier rules, campaigns, tags) are replaced completely. The given document is not validated here.
 */
export function mergeProgramDocument(present: ProgramDocument, given: unknown): unknown {
  return isRecord(given) ? layOver(present, given) : given;
}

/** Returns a document that another release stored, with the default of each field that it lacks, also in tiers, campaigns and bonuses. */
export function completeProgramDocument(kept: object): ProgramDocument {
  return programReader.complete(kept) as ProgramDocument; // cast: it was checked when it was kept
}

/**
 * Returns a document as it is stored: a bonus without a name has no such field. A node of the release before does not know it, and would refuse every
 * change that is laid over a document with it.
 */
export function storedProgramDocument(document: ProgramDocument): object {
  const { earning } = document;
  const bonuses = earning.bonus_collections.map(({ name, ...bonus }) => (name === null ? bonus : { ...bonus, name }));
  return { ...document, earning: { ...earning, bonus_collections: bonuses } };
}

function layOver(under: object, over: object): object {
  const merged = new Map<string, unknown>(Object.entries(under));
  for (const [section, value] of Object.entries(over)) {
    const present = merged.get(section);
    merged.set(
      section,
      isRecord(present) && isRecord(value)
        ? Object.fromEntries([...Object.entries(present), ...Object.entries(value)])
        : value,
    );
  }
  return Object.fromEntries(merged);
}

/** Returns every field that differs, by its pointer; lists of different length differ as a whole. Empty: the documents are equal. */
export function changesBetween(before: unknown, after: unknown, pointer = ""): ProgramChange[] {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((element: unknown, index) => changesBetween(before[index], element, `${pointer}/${index}`));
  }
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => fieldChanges(before, after, name, pointer));
  }
  return before === after ? [] : [{ pointer, before, after }];
}

function fieldChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  name: string,
  pointer: string,
): ProgramChange[] {
  const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  if (!Object.hasOwn(before, name)) return [{ pointer: at, after: after[name] }];
  if (!Object.hasOwn(after, name)) return [{ pointer: at, before: before[name] }];
  return changesBetween(before[name], after[name], at);
}

const SWEEP_FINENESS = { yearly: 0, monthly: 1, daily: 2 } as const;

/**
 * Whether a change of rules may bring dates of points forward, so that points that it would expire at once get `shortening_days`
 * (program.md 5): a shorter delay, own dates for each allotment instead of sliding, or a more frequent sweep.
 */
export function shortensExpiration(before: Program["expiration"], after: Program["expiration"]): boolean {
  if (after.delayMonths === null) return false;
  if (before.delayMonths === null || after.delayMonths < before.delayMonths) return true;
  if (before.mode === "sliding" && after.mode === "per_allotment") return true;
  return SWEEP_FINENESS[after.sweep] > SWEEP_FINENESS[before.sweep];
}
