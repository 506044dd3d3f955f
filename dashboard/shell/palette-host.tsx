import { lazy, Suspense, useEffect, useState } from "react";
import { loadCode, prefetchCode } from "../api/code.ts";
import { SearchIcon } from "../ui/icons.tsx";
import { useWords } from "../words/use-words.ts";
import classes from "./palette.module.css";
import { words } from "./words.ts";

const loadPalette = () => import("./palette.tsx").then((m) => ({ default: m.Palette }));
const Palette = lazy(loadCode(loadPalette));
const OPEN_EVENT = "pointkeeper-palette";
/** After the page itself has what it needs. */
const PREFETCH_MS = 1_500;

/** Opens the palette from a button. */
export function openPalette(): void {
  document.dispatchEvent(new Event(OPEN_EVENT));
}

/** Ctrl-K (or ⌘K) opens the palette. Its code comes when the page is idle; what is typed before it is there is kept. */
export function PaletteHost() {
  const [opened, setOpened] = useState(false);
  const [query, setQuery] = useState("");
  const [isEntered, setEntered] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => prefetchCode(loadPalette), PREFETCH_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const open = () => {
      setQuery("");
      setEntered(false);
      setOpened(true);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setQuery("");
      setEntered(false);
      setOpened((was) => !was);
    };
    document.addEventListener(OPEN_EVENT, open);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener(OPEN_EVENT, open);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  useEarlyKeys(opened, { setQuery, setEntered, close: () => setOpened(false) });
  if (!opened) return null;
  return (
    <Suspense fallback={<Early query={query} />}>
      <Palette query={query} isEntered={isEntered} onQuery={setQuery} onClose={() => setOpened(false)} />
    </Suspense>
  );
}

/** Takes keys for the palette until its field has the focus: they would go to the page below it, or nowhere. */
function useEarlyKeys(
  opened: boolean,
  {
    setQuery,
    setEntered,
    close,
  }: { setQuery(change: (was: string) => string): void; setEntered(is: boolean): void; close(): void },
): void {
  useEffect(() => {
    if (!opened) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isInField = event.target instanceof Element && event.target.closest("[data-palette]") !== null;
      if (isInField || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") close();
      else if (event.key === "Backspace") setQuery((was) => Array.from(was).slice(0, -1).join(""));
      else if (Array.from(event.key).length === 1) setQuery((was) => was + event.key);
      else if (event.key !== "Enter") return;
      setEntered(event.key === "Enter");
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  });
}

/** In the place of the palette's field while its code is fetched. */
function Early({ query }: { query: string }) {
  const t = useWords(words);
  return (
    <div className={classes["early"]} role="status">
      <SearchIcon /> <span>{query === "" ? t.paletteHint : query}</span>
    </div>
  );
}
