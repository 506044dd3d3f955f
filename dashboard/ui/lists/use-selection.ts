import { useState } from "react";
import { newUid } from "../../api/new-uid.ts";

/** As many customers as a bulk action takes by their ids. */
export const SELECTED_MAX = 500;

/** Rows of a list that are selected one by one, on any of its pages. */
export interface Selection {
  /** Of the requests for it. */
  readonly uid: string;
  readonly ids: readonly string[];
  has(id: string): boolean;
  toggle(id: string): void;
  add(ids: readonly string[]): void;
  end(): void;
}

/** Returns the selection, or null if rows are not being selected; and a function that begins one. */
export function useSelection(): readonly [Selection | null, () => void] {
  const [uid, setUid] = useState(newUid);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const change = (next: (before: ReadonlySet<string>) => Iterable<string>) =>
    setChosen((before) => new Set([...next(before ?? new Set<string>())].slice(0, SELECTED_MAX)));
  const begin = () => {
    setUid(newUid());
    setChosen(new Set<string>());
  };
  if (chosen === null) return [null, begin];
  const selection: Selection = {
    uid,
    ids: [...chosen],
    has: (id) => chosen.has(id),
    toggle: (id) => change((before) => (before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    add: (ids) => change((before) => [...before, ...ids]),
    end: () => setChosen(null),
  };
  return [selection, begin];
}
