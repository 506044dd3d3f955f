import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { loadCode, prefetchCode } from "../api/code.ts";
import { isComposing } from "../ui/forms/is-composing.ts";
import { SearchIcon } from "../ui/layout/icons.tsx";
import { useWords } from "../words/use-words.ts";
import classes from "./palette.module.css";
import { words } from "./words.ts";

const loadResults = () => import("./palette-results.tsx").then((m) => ({ default: m.PaletteResults }));
const PaletteResults = lazy(loadCode(loadResults));
const OPEN_EVENT = "pointkeeper-palette";
/** The delay after which the page itself has what it needs. */
const PREFETCH_MS = 1_500;

/** Opens the palette from a button. */
export function openPalette(): void {
  document.dispatchEvent(new Event(OPEN_EVENT));
}

/** Ctrl-K (or ⌘K) opens the palette, and closes it. */
export function PaletteHost() {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => prefetchCode(loadResults), PREFETCH_MS);
    return () => clearTimeout(timer);
  }, []);
  // As soon as the page is shown: an effect would come a moment later, and a key that was pressed meanwhile would not be heard.
  useLayoutEffect(() => {
    const open = () => setOpened(true);
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
      event.preventDefault();
      setOpened((was) => !was);
    };
    document.addEventListener(OPEN_EVENT, open);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener(OPEN_EVENT, open);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  return opened ? <Palette onClose={() => setOpened(false)} /> : null;
}

/**
 * The field is shown and focused at once, so that no keystroke and no composition of an input method is lost; the code of the results is loaded when
 * the page is idle. If Enter is pressed before they are there, the first one is opened when it arrives.
 */
function Palette({ onClose }: { onClose(): void }) {
  const t = useWords(words);
  const [query, setQuery] = useState("");
  const [enteredFor, setEnteredFor] = useState<string | null>(null);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const listId = useId();
  const onResultKey = useRef<((event: KeyboardEvent) => void) | null>(null);
  const place = useShownModal();
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Tab") event.preventDefault(); // there is no other element to go to
    if (onResultKey.current !== null) onResultKey.current(event);
    else if (event.key === "Enter") setEnteredFor(query);
  };
  return (
    <dialog
      ref={place}
      className={classes["palette"]}
      aria-label={t.search}
      onClose={onClose}
      onPointerDown={(event) => {
        if (event.target === place.current) onClose();
      }}
    >
      <search className={classes["inside"]} aria-label={t.search}>
        <label className={classes["field"]}>
          <SearchIcon />
          <input
            className={classes["input"]}
            role="combobox"
            aria-label={t.search}
            aria-autocomplete="list"
            aria-expanded={selectedId !== null}
            aria-controls={listId}
            aria-activedescendant={selectedId ?? undefined}
            placeholder={t.paletteHint}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="go"
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value);
              setEnteredFor(null);
            }}
            onKeyDown={onKey}
            data-mantine-stop-propagation // Esc closes the palette, but not the panel below it
          />
        </label>
        <Suspense>
          <PaletteResults
            query={query}
            listId={listId}
            enteredFor={enteredFor}
            onEnter={() => setEnteredFor(query)}
            onSelect={setSelectedId}
            onKey={onResultKey}
            onClose={onClose}
          />
        </Suspense>
      </search>
    </dialog>
  );
}

/** Shows a dialog over all others while the component is mounted; afterwards the focus returns. */
function useShownModal() {
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return place;
}
