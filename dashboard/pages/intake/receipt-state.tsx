import type { ReceiptRow } from "../../../src/admin/intake/schema.ts";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const TONES = { new: "neutral", waiting: "warn", failed: "bad", quarantined: "bad", done: "good" } as const;

interface ReceiptStateProps {
  state: ReceiptRow["state"];
  isWarned?: boolean;
}

/** The state of a receipt, and whether it has warnings. */
export function ReceiptState({ state, isWarned = false }: ReceiptStateProps) {
  const t = useWords(words);
  return (
    <>
      <StateBadge tone={TONES[state]}>{t.states[state]}</StateBadge>
      {isWarned ? (
        <>
          {" "}
          <StateBadge tone="warn">{t.warned}</StateBadge>
        </>
      ) : null}
    </>
  );
}
