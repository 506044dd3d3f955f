import type { Program } from "./program.ts";
import { programOf } from "./program-document.ts";
import { completeProgramDocument } from "./program-merge.ts";
import type { KnownProgramRow } from "./program-queries.ts";

export interface KnownProgram {
  readonly uid: string;
  readonly program: Program;
}

const CACHED_MAX = 64;

// Versions never change, so a cached version is valid in every transaction and database: the key is the version's uid.
const cache = new Map<string, KnownProgram>();
let newest: KnownProgram | null = null;

/** Returns the version that was last read as the newest one: its document need not be sent again. */
export function knownNewest(): KnownProgram | null {
  return newest;
}

/** Returns the version that was last read under a number. */
export function knownVersion(version: number): KnownProgram | null {
  for (const known of cache.values()) if (known.program.version === version) return known;
  return null;
}

/** Returns the version with a uid, if it was read before. */
export function knownProgram(uid: string): KnownProgram | null {
  return cache.get(uid) ?? null;
}

/** Returns the program of a row that was requested with `known`; its document is absent if it is that version. */
export function rememberProgram(row: KnownProgramRow | undefined, known: KnownProgram | null): KnownProgram {
  if (row === undefined)
    throw new Error("there is no such version of the program: ensureProgram makes the first at the start");
  const found = known?.uid === row.uid ? known : (cache.get(row.uid) ?? { uid: row.uid, program: programOfRow(row) });
  cache.delete(row.uid);
  cache.set(row.uid, found);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest);
  return found;
}

/** The same for a row that was requested as the newest one. */
export function rememberNewest(row: KnownProgramRow | undefined, known: KnownProgram | null): KnownProgram {
  newest = rememberProgram(row, known);
  return newest;
}

function programOfRow({ document, version, shortenedAt }: KnownProgramRow): Program {
  if (document === null)
    throw new Error(`version ${version} of the program came without its document, though it is not known`);
  return programOf(completeProgramDocument(document), { version, shortenedAt });
}
