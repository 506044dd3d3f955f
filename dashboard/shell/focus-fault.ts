import type { QueryClient } from "@tanstack/react-query";

/**
 * Moves the focus to the first invalid field of a form that was refused, so that it is seen on a small screen and heard by screen readers. Only the
 * response to sending the form does so: once the person enters something, the focus stays where it is. Returns a function that stops it.
 */
export function focusFault(client: QueryClient): () => void {
  let sent: HTMLFormElement | null = null;
  const onSubmit = ({ target }: SubmitEvent) => {
    sent = target instanceof HTMLFormElement ? target : null;
  };
  const onInput = ({ target }: Event) => {
    if (target instanceof Node && sent?.contains(target) === true) sent = null;
  };
  const look = () => {
    const fault = sent?.querySelector<HTMLElement>("[aria-invalid=true]:enabled") ?? null;
    const active = document.activeElement;
    const isElsewhere = active !== null && active !== document.body && sent?.contains(active) !== true;
    if (fault === null || isElsewhere) return;
    sent = null;
    fault.focus();
  };
  const observer = new MutationObserver(look);
  // An answer may come so soon that the page never shows that the form is sent: the same refusal as before then changes nothing in it.
  const unsubscribe = client.getMutationCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "error") requestAnimationFrame(() => setTimeout(look)); // once it is shown
  });
  observer.observe(document.body, { subtree: true, attributeFilter: ["aria-invalid"] });
  document.addEventListener("submit", onSubmit, true);
  document.addEventListener("input", onInput, true);
  return () => {
    observer.disconnect();
    unsubscribe();
    document.removeEventListener("submit", onSubmit, true);
    document.removeEventListener("input", onInput, true);
  };
}
