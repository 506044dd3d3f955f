import { useEffect, useState } from "react";
import { FormFault } from "../../ui/forms/form-fault.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const SECOND_MS = 1_000;

/** A countdown of how long the account accepts no more attempts. */
export function LockedFor({ until }: { until: number }) {
  const t = useWords(words);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const leftS = Math.max(0, Math.ceil((until - now) / SECOND_MS));
  if (leftS === 0) return <p role="status">{t.unlocked}</p>;
  const left = t.left(Math.floor(leftS / 60), String(leftS % 60).padStart(2, "0"));
  return (
    <FormFault>
      <span aria-live="off">{t.locked(left)}</span>
    </FormFault>
  );
}
