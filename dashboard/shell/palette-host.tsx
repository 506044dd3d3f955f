import { lazy, Suspense, useEffect, useState } from "react";

const Palette = lazy(() => import("./palette.tsx").then((m) => ({ default: m.Palette })));
const OPEN_EVENT = "pointkeeper-palette";

/** Opens the palette from a button. */
export function openPalette(): void {
  document.dispatchEvent(new Event(OPEN_EVENT));
}

/** Ctrl-K (or ⌘K) opens the palette, whose code is fetched when it is first wanted. */
export function PaletteHost() {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const open = () => setOpened(true);
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
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
  if (!opened) return null;
  return (
    <Suspense>
      <Palette onClose={() => setOpened(false)} />
    </Suspense>
  );
}
