import { ApiError } from "../../api/api-error.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";
import { errorMessage } from "./error-message.ts";
import { showToast } from "./show-toast.ts";

const SHOWN_MS = 12_000;

/** Notifies the person of a failure and its reason. */
export function notifyFailed(error: unknown): void {
  showToast({ color: "red", autoClose: SHOWN_MS, message: <Failure error={error} /> });
}

/** Notifies the person of a failure, unless it is the fault of a field, which the form shows beside it. */
export function notifyUnlessField(error: unknown): void {
  if (!(error instanceof ApiError && error.isOfField)) notifyFailed(error);
}

function Failure({ error }: { error: unknown }) {
  return errorMessage(error, useWords(words));
}
