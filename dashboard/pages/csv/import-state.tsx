import type { ImportRow } from "../../../src/admin/csv/schema.ts";
import { StateBadge, type Tone } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const TONES: Readonly<Record<ImportRow["state"], Tone>> = {
  uploading: "neutral",
  uploaded: "warn",
  checking: "neutral",
  checked: "warn",
  importing: "neutral",
  imported: "good",
  undoing: "neutral",
  undone: "neutral",
  given_up: "neutral",
};

/** The state of an import in a word. */
export function ImportState({ state }: Pick<ImportRow, "state">) {
  const t = useWords(words);
  return <StateBadge tone={TONES[state]}>{t.states[state]}</StateBadge>;
}
