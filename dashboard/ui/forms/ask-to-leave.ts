/** A form that is open and not sent yet. */
export interface OpenForm {
  hasEntered(): boolean;
  /** Asks whether what was entered may be discarded, and then calls `leave`. */
  ask(leave: () => void): void;
}

const forms = new Set<OpenForm>();

/** Registers a form while it is open. Returns the end of that. */
export function registerForm(form: OpenForm): () => void {
  forms.add(form);
  return () => forms.delete(form);
}

/** Whether an open form would lose what was entered. */
export function hasEnteredForm(): boolean {
  return [...forms].some((form) => form.hasEntered());
}

/** Calls `leave`, which goes to another page; first asks where that would discard what was entered into a form. */
export function askToLeave(leave: () => void): void {
  const entered = [...forms].find((form) => form.hasEntered());
  if (entered === undefined) leave();
  else entered.ask(leave);
}
