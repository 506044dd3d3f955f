/** So many elements that had the focus are remembered. */
const REMEMBERED = 20;
/** The library gives the focus to what it opens, and back, within this time. */
const WAIT_MS = 50;
/** What opens over a page and goes again: dialogs, panels, menus and toasts. */
const OVER = "dialog, [role=dialog], [role=menu], [role=alert]";

/**
 * Gives the focus to something when what had it goes away or is disabled for a while, so that a keyboard goes on from where it was and not
 * from the start of the page. After a dialog, a menu or a toast it is what had the focus before it; a button that waited for an answer has it
 * again; after anything else it is the page's title. `data-focus-name` is equal on elements of which one takes the place of another.
 * Returns what ends it.
 */
export function keepFocus(): () => void {
  const had: HTMLElement[] = []; // the latest last
  let disabled: HTMLElement | null = null;
  let isLeft = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const known = had.indexOf(target);
    if (known !== -1) had.splice(known, 1);
    had.push(target);
    if (had.length > REMEMBERED) had.shift();
    isLeft = false;
    disabled = null;
  };
  /** Somebody who presses where nothing takes the focus leaves it. */
  const onPress = () => {
    isLeft = true;
  };
  const look = () => {
    timer = undefined;
    const last = had.at(-1);
    if (!hasNobodyFocus() || last === undefined) return;
    if (last === disabled && last.matches(":enabled")) last.focus({ preventScroll: true });
    else if (!last.isConnected) nextOf(last, had, isLeft)?.focus({ preventScroll: true });
  };
  const onChange = () => {
    const last = had.at(-1);
    if (last?.matches(":disabled") === true) disabled = last;
    if (hasNobodyFocus()) timer ??= setTimeout(look, WAIT_MS);
  };
  const observer = new MutationObserver(onChange);
  const what = { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] };
  observer.observe(document.body, what);
  document.addEventListener("focusin", onFocus);
  document.addEventListener("pointerdown", onPress);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("focusin", onFocus);
    document.removeEventListener("pointerdown", onPress);
  };
}

function hasNobodyFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** What follows after an element that is gone. */
function nextOf(gone: HTMLElement, had: readonly HTMLElement[], isLeft: boolean): HTMLElement | null {
  const twin = standInFor(gone);
  if (twin !== null) return twin;
  const over = gone.closest<HTMLElement>(OVER);
  if (over === null) return isLeft ? null : titleOfPage();
  if (over.isConnected && over.getAttribute("role") !== "alert") return over;
  const before = had
    .toReversed()
    .filter((one) => !over.contains(one))
    .map(standInFor);
  return before.find((one) => one !== null) ?? titleOfPage();
}

/** An element that is still in sight, or what took its place; null: neither. */
function standInFor(element: HTMLElement): HTMLElement | null {
  const name = element.dataset["focusName"];
  const found = element.isConnected
    ? element
    : name === undefined
      ? null
      : document.querySelector<HTMLElement>(`[data-focus-name="${CSS.escape(name)}"]`);
  return found?.checkVisibility() === true && found.matches(":not(:disabled)") ? found : null;
}

function titleOfPage(): HTMLElement | null {
  const title = document.querySelector<HTMLElement>("main h1") ?? document.querySelector("main");
  if (title?.hasAttribute("tabindex") === false) title.tabIndex = -1;
  return title;
}
