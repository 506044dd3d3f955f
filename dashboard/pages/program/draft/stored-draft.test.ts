import { expect, test } from "vitest";
import type { ProgramDocument } from "../../../../src/program/program-schema.ts";
import { draftIdOf, readStoredDrafts, removeOldDrafts, writeStoredDraft } from "./stored-draft.ts";

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (n: number) => [...kept.keys()][n] ?? null,
    get length() {
      return kept.size;
    },
  };
}

const document = { store: {}, earning: {}, campaigns: [], tiers: { rules: [] } } as unknown as ProgramDocument; // cast: the fields that are read
const savedAt = "2026-03-01T00:00:00Z";
const now = Date.parse("2026-03-02T00:00:00Z");

const drafts = (storage: ReturnType<typeof memory>, staffUid: string, at = now) =>
  readStoredDrafts(storage, staffUid, at);

test("a draft is there for the person who left it, and for nobody else", () => {
  const storage = memory();
  expect(writeStoredDraft(storage, "a", "1", { base: document, document, savedAt })).toBe(true);
  expect(drafts(storage, "a")).toEqual([{ id: "1", base: document, document, savedAt }]);
  expect(drafts(storage, "b")).toEqual([]);
  writeStoredDraft(storage, "a", "1", null);
  expect(drafts(storage, "a")).toEqual([]);
});

test("each page keeps its own draft, the newest first, beside that of an older version", () => {
  const storage = memory();
  for (const [id, keptAt] of [
    ["1", now - 2],
    ["2", now - 1],
  ] as const)
    writeStoredDraft(storage, "a", id, { base: document, document, savedAt, keptAt });
  storage.setItem(
    "pointkeeper.program-draft.a",
    JSON.stringify({ base: document, document, savedAt, keptAt: now - 3 }),
  );
  expect(drafts(storage, "a").map(({ id }) => id)).toEqual(["2", "1", ""]);
  writeStoredDraft(storage, "a", "2", null);
  expect(drafts(storage, "a").map(({ id }) => id)).toEqual(["1", ""]);
  const keys = ["pointkeeper.program-draft.a.7", "pointkeeper.program-draft.ab", "something.else"];
  expect(keys.map((key) => draftIdOf(key, "a"))).toEqual(["7", null, null]);
});

test("an old draft is not offered, nor one that cannot be read", () => {
  const storage = memory();
  writeStoredDraft(storage, "a", "1", { base: document, document, savedAt });
  expect(drafts(storage, "a", Date.parse("2026-04-01T00:00:00Z"))).toEqual([]);
  for (const text of ["{", "7", "{}", JSON.stringify({ base: document, document: {}, savedAt })]) {
    storage.setItem("pointkeeper.program-draft.a.1", text);
    expect(drafts(storage, "a"), text).toEqual([]);
  }
});

test("drafts that are too old or cannot be read are removed, whosever they are", () => {
  const storage = memory();
  const old = { base: document, document, savedAt, keptAt: now - 30 * 86_400_000 };
  for (const staffUid of ["a", "b"]) writeStoredDraft(storage, staffUid, "old", old);
  storage.setItem("pointkeeper.program-draft.b.broken", "{");
  storage.setItem("pointkeeper.program-draft.c", JSON.stringify({ base: document, savedAt }));
  storage.setItem("pointkeeper.language", "ja");
  for (const staffUid of ["a", "b"]) writeStoredDraft(storage, staffUid, "new", { ...old, keptAt: now });
  removeOldDrafts(storage, "a", now);
  expect(Array.from({ length: storage.length }, (_, n) => storage.key(n))).toEqual([
    ...["pointkeeper.language", "pointkeeper.program-draft.a.new", "pointkeeper.program-draft.b.new"],
  ]);
});

test("of one person the newest 10 drafts are kept", () => {
  const storage = memory();
  for (let n = 1; n <= 12; n++) {
    for (const staffUid of ["a", "b"])
      writeStoredDraft(storage, staffUid, String(n), { base: document, document, savedAt, keptAt: now - n });
  }
  removeOldDrafts(storage, "a", now);
  expect(drafts(storage, "a").map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  expect(drafts(storage, "b")).toHaveLength(12);
});

test("a browser that keeps nothing is no failure", () => {
  const refuse = () => {
    throw new Error("full");
  };
  const storage = { getItem: refuse, setItem: refuse, removeItem: refuse, key: refuse, length: 1 };
  expect(writeStoredDraft(storage, "a", "1", { base: document, document, savedAt })).toBe(false);
  expect(readStoredDrafts(storage, "a", now)).toEqual([]);
  expect(() => removeOldDrafts(storage, "a", now)).not.toThrow();
});

test("a draft is kept for 30 days of the browser's clock, however far the service's is from it", () => {
  const storage = memory();
  for (const far of ["2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z"]) {
    const draft = { base: document, document, savedAt: far, keptAt: now };
    writeStoredDraft(storage, "a", "1", draft);
    expect(drafts(storage, "a")).toEqual([{ ...draft, id: "1" }]);
    expect(drafts(storage, "a", now + 31 * 86_400_000)).toEqual([]);
  }
});
