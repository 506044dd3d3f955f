import { errorMessage } from "../../ui/error-message.ts";
import { FormFault } from "../../ui/form-fault.tsx";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";

/** The fault of a request, or nothing. */
export function RequestFault({ error }: { error: unknown }) {
  const t = useWords(uiWords);
  return error === null ? null : <FormFault>{errorMessage(error, t)}</FormFault>;
}
