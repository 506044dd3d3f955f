import { expect, test } from "vitest";
import type { ProgramDocument } from "../../../../src/program/program-schema.ts";
import { readStoredDraft, writeStoredDraft } from "./stored-draft.ts";

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const document = { store: {}, earning: {}, campaigns: [], tiers: { rules: [] } } as unknown as ProgramDocument; // cast: the fields that are read
const savedAt = "2026-03-01T00:00:00Z";
const now = Date.parse("2026-03-02T00:00:00Z");

test("a draft is there for the person who left it, and for nobody else", () => {
  const storage = memory();
  expect(writeStoredDraft(storage, "a", { base: document, document, savedAt })).toBe(true);
  expect(readStoredDraft(storage, "a", now)).toEqual({ base: document, document, savedAt });
  expect(readStoredDraft(storage, "b", now)).toBeNull();
  writeStoredDraft(storage, "a", null);
  expect(readStoredDraft(storage, "a", now)).toBeNull();
});

test("an old draft is not offered, nor one that cannot be read", () => {
  const storage = memory();
  writeStoredDraft(storage, "a", { base: document, document, savedAt });
  expect(readStoredDraft(storage, "a", Date.parse("2026-04-01T00:00:00Z"))).toBeNull();
  for (const text of ["{", "7", "{}", JSON.stringify({ base: document, document: {}, savedAt })]) {
    storage.setItem("pointkeeper.program-draft.a", text);
    expect(readStoredDraft(storage, "a", now), text).toBeNull();
  }
});

test("a browser that keeps nothing is no failure", () => {
  const refuse = () => {
    throw new Error("full");
  };
  const storage = { getItem: refuse, setItem: refuse, removeItem: refuse };
  expect(writeStoredDraft(storage, "a", { base: document, document, savedAt })).toBe(false);
  expect(readStoredDraft(storage, "a", now)).toBeNull();
});

test("a draft is kept for 30 days of the browser's clock, however far the service's is from it", () => {
  const storage = memory();
  for (const far of ["2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z"]) {
    const draft = { base: document, document, savedAt: far, keptAt: now };
    writeStoredDraft(storage, "a", draft);
    expect(readStoredDraft(storage, "a", now)).toEqual(draft);
    expect(readStoredDraft(storage, "a", now + 31 * 86_400_000)).toBeNull();
  }
});
