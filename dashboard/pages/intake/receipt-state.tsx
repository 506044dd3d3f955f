import type { ReceiptRow } from "../../../src/admin/intake/schema.ts";
import { StateBadge } from "../../ui/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const TONES = { new: "neutral", waiting: "warn", failed: "bad", quarantined: "bad", done: "good" } as const;

export function ReceiptState({ state }: { state: ReceiptRow["state"] }) {
  const t = useWords(words);
  return <StateBadge tone={TONES[state]}>{t.states[state]}</StateBadge>;
}
