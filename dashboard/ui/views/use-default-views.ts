import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { ViewList } from "../../../src/wire/saved-views.ts";
import { useSession } from "../../api/session.ts";
import { currentDefaultOf, type DefaultView, type DefaultViews, parseDefaultViews } from "./default-views.ts";

const CHANGED_EVENT = "pointkeeper-default-views";

/** The views with which this person's navigation opens lists in this browser, and the function that sets one; null removes it. */
export function useDefaultViews(): readonly [DefaultViews, (list: ViewList, view: DefaultView | null) => void] {
  const key = useKey();
  const text = useSyncExternalStore(subscribe, () => readText(key));
  const views = useMemo(() => parseDefaultViews(text), [text]);
  return [views, (list, view) => writeDefault(key, list, view)];
}

/**
 * Returns a function that reads the views of a list, and then stores the filters of its default view as they are now. If another tab changed the default
 * views meanwhile, they stay: they may be newer than what was read.
 */
export function useReadViews(): <T extends DefaultView>(
  list: ViewList,
  read: () => Promise<readonly T[]>,
) => Promise<readonly T[]> {
  const key = useKey();
  return useCallback(
    async (list, read) => {
      const text = readText(key);
      const views = await read();
      const known = parseDefaultViews(text)[list];
      const current = currentDefaultOf(known, views);
      if (current !== known && readText(key) === text) writeDefault(key, list, current ?? null);
      return views;
    },
    [key],
  );
}

function useKey(): string {
  return `pointkeeper.default-views.${useSession().staff.uid}`;
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener(CHANGED_EVENT, onChange);
  addEventListener("storage", onChange); // another tab
  return () => {
    document.removeEventListener(CHANGED_EVENT, onChange);
    removeEventListener("storage", onChange);
  };
}

/** Of a browser that stores nothing: null. */
function readText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeDefault(key: string, list: ViewList, view: DefaultView | null): void {
  const { [list]: _before, ...others } = parseDefaultViews(readText(key));
  try {
    localStorage.setItem(key, JSON.stringify(view === null ? others : { ...others, [list]: view }));
  } catch {
    return; // this browser stores nothing
  }
  document.dispatchEvent(new Event(CHANGED_EVENT));
}
