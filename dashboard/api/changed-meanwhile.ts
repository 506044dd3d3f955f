import { ApiError } from "./api-error.ts";

/** The title of `changed_meanwhile`. */
const TITLE = "This was changed meanwhile: load the page again";

/** Whether a form was refused because others saved what it would replace: what is stored now has to be read again. */
export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && error.title === TITLE;
}
