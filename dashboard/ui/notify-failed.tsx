import { useWords } from "../words/use-words.ts";
import { showToast } from "./show-toast.ts";
import { tellError } from "./tell-error.ts";
import { words } from "./words.ts";

const SHOWN_MS = 12_000;

/** Says that something did not work, and why. */
export function notifyFailed(error: unknown): void {
  showToast({ color: "red", autoClose: SHOWN_MS, message: <Failure error={error} /> });
}

function Failure({ error }: { error: unknown }) {
  return tellError(error, useWords(words));
}
