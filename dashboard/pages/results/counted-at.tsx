import { Time } from "../../ui/time.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./results.module.css";
import { words } from "./words.ts";

/** Up to when the figures are; nothing while they are read for the first time. */
export function CountedAt({ at }: { at: string | null | undefined }) {
  const t = useWords(words);
  if (at === undefined) return null;
  return (
    <p className={classes["hint"]}>
      {at === null ? (
        t.counting
      ) : (
        <>
          {t.countedAt} <Time at={at} />
        </>
      )}
    </p>
  );
}
