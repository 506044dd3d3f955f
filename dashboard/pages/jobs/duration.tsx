import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** A length of time in seconds, to a tenth; a shorter one in milliseconds. */
export function Duration({ ms }: { ms: number | null }) {
  const t = useWords(words);
  const format = useFormat();
  if (ms === null) return "—";
  return ms < 100 ? t.milliseconds(format.number(ms)) : t.seconds(format.number(Math.round(ms / 100) / 10));
}
