import { ApiError } from "./api-error.ts";

/** The title of the service's refusal `confirmation_needed`. */
const TITLE = "Confirm that it is you";

/** Whether a change was refused because the person has to enter the password or a code first. */
export function isConfirmationNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.title === TITLE;
}

type Ask = () => Promise<boolean>;

interface Question {
  readonly answer: Promise<boolean>;
  refuse(): void;
}

let asks: Ask | null = null;
let asked: Question | null = null;
const watchers = new Set<() => void>();

function setAsked(question: Question | null): void {
  asked = question;
  for (const watcher of watchers) watcher();
}

/** Whether a question is open. */
export function isConfirming(): boolean {
  return asked !== null;
}

/** Calls `watcher` when a question is opened or answered. Returns the end of that. */
export function watchConfirming(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Registers `ask`, which shows the question and returns whether the session is confirmed; returns a function that removes it. */
export function whenConfirmationIsNeeded(ask: Ask): () => void {
  asks = ask;
  return () => {
    if (asks === ask) asks = null;
  };
}

/** Asks the person, once for all that wait for it; returns false if they refuse, or no question can be shown. */
export function askForConfirmation(): Promise<boolean> {
  const question = asked ?? open(asks);
  if (asked === null) setAsked(question);
  return question.answer;
}

/** Answers an open question with no, because the person's page is removed: the next person is asked anew. */
export function refuseConfirmation(): void {
  asked?.refuse();
  setAsked(null);
}

function open(ask: Ask | null): Question {
  const refused = Promise.withResolvers<boolean>();
  const answer = Promise.race([refused.promise, ask?.() ?? false]).finally(() => {
    if (asked === question) setAsked(null);
  });
  const question = { answer, refuse: () => refused.resolve(false) };
  return question;
}
