import { useWords } from "../../words/use-words.ts";
import { FormFault } from "../forms/form-fault.tsx";
import { words } from "../words.ts";
import { errorMessage } from "./error-message.ts";

/** The fault of a request, or nothing. */
export function RequestFault({ error }: { error: unknown }) {
  const t = useWords(words);
  return error === null ? null : <FormFault>{errorMessage(error, t)}</FormFault>;
}
