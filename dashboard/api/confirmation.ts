import { ApiError } from "./api-error.ts";

/** The title of the service's refusal `confirmation_needed`. */
const TITLE = "Confirm that it is you";

/** Whether a change was refused until the person has given the password or a code. */
export function isConfirmationNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.title === TITLE;
}

type Ask = () => Promise<boolean>;

let asks: Ask | null = null;
let asked: Promise<boolean> | null = null;

/** Has `ask` show the question and answer whether the session is confirmed; returns what takes it away again. */
export function whenConfirmationIsNeeded(ask: Ask): () => void {
  asks = ask;
  return () => {
    if (asks === ask) asks = null;
  };
}

/** Asks whoever is there, once for all that wait for it; false where they do not want to, or nobody asks. */
export function askForConfirmation(): Promise<boolean> {
  asked ??= (asks?.() ?? Promise.resolve(false)).finally(() => {
    asked = null;
  });
  return asked;
}
