/** The number of remembered elements that had the focus. */
const REMEMBERED = 20;
/** The library moves the focus to what it opens, and back, within this time. */
const WAIT_MS = 50;
/** Elements that open over a page and close again: dialogs, panels, menus and toasts. */
const BUSY = "data-loading";
const OVER = "dialog, [role=dialog], [role=menu], [role=alert]";

/**
 * Restores the focus when the focused element disappears or is disabled for a while, so that keyboard users do not restart at the top of the page.
 * After a dialog, a menu or a toast the focus returns to the element that had it before; a button that was disabled for a response gets it again,
 * and if it stays disabled, the first field of its form does; otherwise the page's title gets it. `data-focus-name` is the same on elements that replace one another. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  const had: HTMLElement[] = []; // the latest is last
  let disabled: HTMLElement | null = null;
  let waiting: HTMLElement | null = null; // a button that was pressed and waits for the response
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
    waiting = null;
  };
  /** A person who presses an element that cannot have the focus gives it up. */
  const onPress = () => {
    isLeft = true;
  };
  const look = () => {
    timer = undefined;
    const last = had.at(-1);
    if (!hasNobodyFocus() || last === undefined) return;
    if (last === disabled && last.matches(":enabled")) last.focus({ preventScroll: true });
    else if (last === waiting && last.isConnected && !isBusy(last)) fieldBeside(last)?.focus({ preventScroll: true });
    else if (!last.isConnected) nextOf(last, had, isLeft)?.focus({ preventScroll: true });
  };
  const onChange = () => {
    const last = had.at(-1);
    if (last?.matches(":disabled") === true) disabled = last;
    if (last !== undefined && isBusy(last)) waiting = last;
    if (hasNobodyFocus()) timer ??= setTimeout(look, WAIT_MS);
  };
  const observer = new MutationObserver(onChange);
  const what = { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", BUSY] };
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

function isBusy(element: HTMLElement): boolean {
  return element.hasAttribute(BUSY);
}

/** Returns what gets the focus after a button that stays disabled, since nothing is left to send: the form's first field. */
function fieldBeside(button: HTMLElement): HTMLElement | null {
  const fields = "input:enabled, textarea:enabled, select:enabled";
  return button.closest("form")?.querySelector<HTMLElement>(fields) ?? titleOfPage();
}

function hasNobodyFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Returns the element that gets the focus after one that disappeared. */
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

/** Returns a visible element, or the one that replaced it; null: neither. */
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
