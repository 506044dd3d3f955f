import { useWords } from "../words/use-words.ts";
import { errorMessage } from "./error-message.ts";
import { showToast } from "./show-toast.ts";
import { words } from "./words.ts";

const SHOWN_MS = 12_000;

/** Says that something did not work, and why. */
export function notifyFailed(error: unknown): void {
  showToast({ color: "red", autoClose: SHOWN_MS, message: <Failure error={error} /> });
}

function Failure({ error }: { error: unknown }) {
  return errorMessage(error, useWords(words));
}
