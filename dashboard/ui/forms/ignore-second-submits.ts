/**
 * A double click on the button of a form submits it once: the second click may come before the button shows that it is busy, and would, for example,
 * store a note twice.
 */
export function ignoreSecondSubmits(): void {
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target instanceof Element ? event.target.closest("button[type=submit]") : null;
      if (button !== null && event.detail > 1) event.preventDefault();
    },
    { capture: true },
  );
}
