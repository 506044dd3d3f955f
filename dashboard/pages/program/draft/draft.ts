import type { ProgramDocument } from "../../../../src/program/program-schema.ts";
import { editable } from "../document.ts";

/** One change of a draft. An absent side is not in that document. */
export interface DraftChange {
  /** `earning.rounding`; for a list its name (`campaigns`: an entry is added or removed) or a field of an entry (`campaigns.starts_at`). */
  readonly field: string;
  /** The tier, campaign or collection; null for a setting of the store. */
  readonly subject: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

type Entry = Readonly<Record<string, unknown>>;

interface List {
  /** The field by which entries are told apart. */
  readonly key: string;
  /** The field by which people know them; where it is null, it is the key. */
  readonly name: string;
  /** Whether people choose the key: two who each add an entry may give both the same. */
  readonly isKeyChosen?: boolean;
}

const LISTS: Readonly<Record<string, List>> = {
  campaigns: { key: "name", name: "name", isKeyChosen: true },
  "earning.bonus_collections": { key: "collection_id", name: "name" },
  "tiers.rules": { key: "uid", name: "name" },
};

/** Returns the differences of two documents, in the order of the document; tiers are matched by uid, campaigns by name. */
export function changesOf(before: ProgramDocument, after: ProgramDocument): readonly DraftChange[] {
  const [was, is] = [editable(before), editable(after)];
  const tierNames = new Map([...was.tiers.rules, ...is.tiers.rules].map(({ uid, name }) => [uid, name]));
  const found = Object.entries(is).flatMap(([section, value]) => fieldChanges(section, Object(was)[section], value, 1));
  return found.map((change) => namedRates(change, tierNames));
}

function fieldChanges(field: string, before: unknown, after: unknown, depth: number): DraftChange[] {
  const list = LISTS[field];
  if (list !== undefined) return listChanges(field, list, entries(before), entries(after));
  if (depth > 0 && isEntry(before) && isEntry(after)) {
    return Object.keys(after).flatMap((name) => fieldChanges(`${field}.${name}`, before[name], after[name], depth - 1));
  }
  return isSame(before, after) ? [] : [{ field, subject: null, before, after }];
}

function listChanges(
  field: string,
  { key, name }: List,
  before: readonly Entry[],
  after: readonly Entry[],
): DraftChange[] {
  const left = [...before];
  const pairs = after.map((is) => {
    const at = left.findIndex((was) => was[key] === is[key]);
    return { is, was: at === -1 ? undefined : left.splice(at, 1)[0] };
  });
  const subject = (entry: Entry) => String(entry[name] ?? entry[key]);
  const changed = pairs.flatMap(({ is, was }) =>
    was === undefined ? [{ field, subject: subject(is), after: is }] : entryChanges(field, subject(is), was, is),
  );
  return [...changed, ...left.map((was) => ({ field, subject: subject(was), before: was }))];
}

function entryChanges(field: string, subject: string, was: Entry, is: Entry): DraftChange[] {
  return Object.keys(is)
    .filter((name) => !isSame(was[name], is[name]))
    .map((name) => ({ field: `${field}.${name}`, subject, before: was[name], after: is[name] }));
}

/** Replaces tiers' uids by their names in rates by tier, also in those of a complete campaign. */
function namedRates(change: DraftChange, names: ReadonlyMap<string, string>): DraftChange {
  const { field, before, after } = change;
  const named = (rates: unknown) =>
    isEntry(rates)
      ? Object.fromEntries(Object.entries(rates).map(([uid, rate]) => [names.get(uid) ?? uid, rate]))
      : rates;
  const inCampaign = (entry: unknown) => (isEntry(entry) ? { ...entry, by_tier: named(entry["by_tier"]) } : entry);
  if (field === "campaigns.by_tier") return { ...change, before: named(before), after: named(after) };
  return field === "campaigns" ? { ...change, before: inCampaign(before), after: inCampaign(after) } : change;
}

/**
 * Returns the part of a draft that differs from its base, as it is sent: fields of sections, complete lists. A bonus without a name has no such field,
 * which a node of the version before does not know and refuses.
 */
export function partOf(base: ProgramDocument, draft: ProgramDocument): Readonly<Record<string, unknown>> {
  return changedPart(withoutNoNames(base), withoutNoNames(draft));
}

function withoutNoNames({ earning, ...document }: ProgramDocument): Entry {
  const bonuses = earning.bonus_collections.map(({ name, ...bonus }) => (name == null ? bonus : { ...bonus, name }));
  return { ...document, earning: { ...earning, bonus_collections: bonuses } };
}

function changedPart(base: object, draft: object): Entry {
  const parts = Object.entries(draft).flatMap(([section, value]: [string, unknown]): [string, unknown][] => {
    const before: unknown = Object(base)[section];
    if (isSame(before, value)) return [];
    if (!isEntry(before) || !isEntry(value)) return [[section, value]];
    return [
      [section, Object.fromEntries(Object.entries(value).filter(([name]) => !isSame(before[name], value[name])))],
    ];
  });
  return Object.fromEntries(parts);
}

/** Applies a draft of an older version to a newer one: its changes are kept, the rest comes from the newer version. */
export function carriedOver(base: ProgramDocument, draft: ProgramDocument, newer: ProgramDocument): ProgramDocument {
  const part = changedPart(base, draft);
  const sections = Object.entries(newer).map(([section, value]: [string, unknown]) => {
    const given = part[section];
    return [section, given === undefined ? value : carriedPart(section, Object(base)[section], given, value)];
  });
  return Object.fromEntries(sections) as ProgramDocument; // cast: each section comes from one of two documents
}

function carriedPart(field: string, base: unknown, draft: unknown, newer: unknown): unknown {
  const list = LISTS[field];
  if (list !== undefined) return carriedList(list, entries(base), entries(draft), entries(newer));
  if (!isEntry(draft) || !isEntry(newer)) return draft;
  const changed = Object.entries(draft).map(([name, value]) => {
    return [name, carriedPart(`${field}.${name}`, Object(base)[name], value, newer[name])];
  });
  return { ...newer, ...Object.fromEntries(changed) };
}

/** Of a list, the draft's entries that it added, removed or changed; somebody else may have added others meanwhile. */
function carriedList(
  { key, isKeyChosen = false }: List,
  base: readonly Entry[],
  draft: readonly Entry[],
  newer: readonly Entry[],
): readonly Entry[] {
  const [was, is, now] = [entriesByKey(base, key), entriesByKey(draft, key), entriesByKey(newer, key)];
  const isOfBoth = (name: string) => isKeyChosen && !was.has(name) && is.has(name) && now.has(name);
  const kept = [...now].flatMap(([name, entry]) => {
    const [before, after] = [was.get(name), is.get(name)];
    if (after === undefined) return before === undefined ? [entry] : [];
    return isOfBoth(name) ? [entry] : [{ ...entry, ...changedFields(before ?? {}, after) }];
  });
  const added = [...is].filter(([name, entry]) => !now.has(name) && !isSame(was.get(name), entry));
  const list: readonly Entry[] = [...kept, ...added.map(([, entry]) => entry)];
  const ofBoth = [...is].flatMap(([name, entry]) => (isOfBoth(name) ? [entry] : []));
  return ofBoth.reduce<readonly Entry[]>((before, entry) => withFreeKey(before, key, entry), list);
}

/** Adds an entry whose key another one has under a free key, unless it was added before. */
function withFreeKey(list: readonly Entry[], key: string, entry: Entry): readonly Entry[] {
  const keys = [entry[key], ...list.map((_, n) => `${String(entry[key])} ${n + 2}`)];
  const isThere = list.some((other) => keys.includes(other[key]) && isSame({ ...other, [key]: entry[key] }, entry));
  if (isThere) return list;
  return [...list, { ...entry, [key]: keys.find((free) => list.every((other) => other[key] !== free)) }];
}

/** Entries by their key; of the same name, by their order. */
function entriesByKey(list: readonly Entry[], key: string): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  for (const entry of list) {
    let name = JSON.stringify([entry[key]]);
    while (found.has(name)) name += "+";
    found.set(name, entry);
  }
  return found;
}

function changedFields(before: Entry, after: Entry): Entry {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)));
}

/** Whether two JSON values are equal, whatever the order of their fields and the decimals of their times. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value: unknown, index) => isSame(value, b[index]));
  }
  if (isEntry(a) && isEntry(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].every((name) => isSame(a[name], b[name]));
  }
  return a === b || (typeof a === "string" && typeof b === "string" && shortTime(a) === shortTime(b));
}

/** A time without the zeros at its end, of which a browser writes fewer than the service. */
function shortTime(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.0+|(\.\d*[1-9])0+)Z$/, "$1$2Z");
}

function entries(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? value.filter(isEntry) : [];
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
