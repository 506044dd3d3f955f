import { ApiError } from "./api-error.ts";

/** The title of the service's refusal `confirmation_needed`. */
const TITLE = "Confirm that it is you";

/** Whether a change was refused because the person has to enter the password or a code first. */
export function isConfirmationNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.title === TITLE;
}

type Ask = () => Promise<boolean>;

let asks: Ask | null = null;
let asked: Promise<boolean> | null = null;

/** Registers `ask`, which shows the question and returns whether the session is confirmed; returns a function that removes it. */
export function whenConfirmationIsNeeded(ask: Ask): () => void {
  asks = ask;
  return () => {
    if (asks === ask) asks = null;
  };
}

/** Asks the person, once for all that wait for it; returns false if they refuse, or no question can be shown. */
export function askForConfirmation(): Promise<boolean> {
  asked ??= (asks?.() ?? Promise.resolve(false)).finally(() => {
    asked = null;
  });
  return asked;
}
