import { useMemo, useSyncExternalStore } from "react";
import type { ViewList } from "../../src/wire/saved-views.ts";
import { useSession } from "../api/session.ts";
import { type DefaultView, type DefaultViews, parseDefaultViews } from "./default-views.ts";

const CHANGED_EVENT = "pointkeeper-default-views";

/** The views with which this person's navigation opens lists in this browser, and the function that sets one; null removes it. */
export function useDefaultViews(): readonly [DefaultViews, (list: ViewList, view: DefaultView | null) => void] {
  const key = `pointkeeper.default-views.${useSession().staff.uid}`;
  const text = useSyncExternalStore(subscribe, () => readText(key));
  const views = useMemo(() => parseDefaultViews(text), [text]);
  const set = (list: ViewList, view: DefaultView | null) => {
    const { [list]: _before, ...others } = views;
    writeText(key, JSON.stringify(view === null ? others : { ...others, [list]: view }));
  };
  return [views, set];
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

function writeText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    return; // this browser stores nothing
  }
  document.dispatchEvent(new Event(CHANGED_EVENT));
}
