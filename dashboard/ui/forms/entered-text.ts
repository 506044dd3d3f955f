import type { Mutation, MutationCache } from "@tanstack/react-query";

type TextField = HTMLInputElement | HTMLTextAreaElement;
type AnyMutation = Mutation<unknown, unknown, unknown, unknown>;

/** Fields of a form into which text is entered. */
const TEXT = "form textarea, form input:not([type=radio], [type=checkbox])";
/** The sign-in and its like, which ask nothing. */
const ENTRANCE = "[data-entrance]";

/** The text of a field before somebody typed into it. */
const before = new WeakMap<TextField, string>();
/** Fields into which somebody typed, until that was saved. */
const typed = new Set<TextField>();
/** What is being sent of such fields. */
const sending = new Map<TextField, string>();
/** The forms that are being sent. */
const sent = new Map<AnyMutation, { readonly form: EventTarget; readonly fields: readonly TextField[] }>();

/** Whether text that was typed into a form, and is not saved, would be lost with an element; by default, with the page. */
export function hasEnteredText(inside: Element = document.body): boolean {
  return [...typed, ...sending.keys()].some((field) => inside.contains(field) && field.value !== before.get(field));
}

/** Whether a form in an element is being sent: what it asks for may be done, whatever becomes of the form. */
export function hasSentForm(inside: Element): boolean {
  return [...sent.values()].some(({ form }) => form instanceof Node && inside.contains(form));
}

/** Forgets what was typed into a form that now shows what is stored. */
export function forgetEnteredText(form: HTMLFormElement | null): void {
  for (const field of typed) if (field.form === form) typed.delete(field);
}

/**
 * Notes what is typed into forms. What a form has sent is not lost any more once its request succeeds, and is if the request is refused. Text in a
 * field that never had the focus is the browser's. Returns a function that stops it.
 */
export function watchEnteredText(cache: MutationCache): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let submitted: EventTarget | null = null;
  const onSubmit = ({ target }: Event) => {
    submitted = target;
    setTimeout(() => {
      submitted = null; // the form's own handler has begun the request by now
    });
  };
  document.addEventListener("focusin", noteText, { signal });
  document.addEventListener("beforeinput", noteText, { signal });
  document.addEventListener("input", noteTyped, { signal });
  document.addEventListener("submit", onSubmit, { capture: true, signal });
  const end = (mutation: AnyMutation, isSaved: boolean) => {
    endSending(sent.get(mutation)?.fields ?? [], isSaved);
    sent.delete(mutation);
  };
  const unsubscribe = cache.subscribe((event) => {
    if (event.type === "added" && submitted !== null)
      sent.set(event.mutation, { form: submitted, fields: beginSending(submitted) });
    if (event.type === "updated" && event.action.type === "error") end(event.mutation, false);
  });
  // The event of a success comes only after the page has read its lists again.
  const { onSuccess } = cache.config;
  cache.config.onSuccess = (...args) => {
    const [, , , mutation] = args;
    end(mutation, true);
    return onSuccess?.(...args);
  };
  return () => {
    stop.abort();
    unsubscribe();
    sent.clear();
    cache.config.onSuccess = onSuccess ?? (() => undefined);
  };
}

function fieldOf({ target }: Event): TextField | null {
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isText && target.matches(TEXT) && target.closest(ENTRANCE) === null ? target : null;
}

function noteText(event: Event): void {
  const field = fieldOf(event);
  if (field !== null && !typed.has(field) && !sending.has(field)) before.set(field, field.value);
}

function noteTyped(event: Event): void {
  const field = fieldOf(event);
  for (const one of typed) if (!one.isConnected) typed.delete(one);
  if (field !== null && before.has(field)) typed.add(field);
}

function beginSending(form: EventTarget): readonly TextField[] {
  const fields = [...typed].filter((field) => field.form === form);
  for (const field of fields) {
    sending.set(field, field.value);
    typed.delete(field);
  }
  return fields;
}

/** What was typed while it was sent stays typed. */
function endSending(fields: readonly TextField[], isSaved: boolean): void {
  for (const field of fields) {
    if (isSaved) before.set(field, sending.get(field) ?? "");
    else typed.add(field);
    sending.delete(field);
  }
}
