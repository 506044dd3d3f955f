import type { ReactNode } from "react";
import { useWords } from "../../words/use-words.ts";
import { CheckIcon, CopyIcon } from "../layout/icons.tsx";
import { words } from "../words.ts";
import classes from "./copy-id.module.css";
import { useCopy } from "./use-copy.ts";

interface CopyIdProps {
  /** The copied text. */
  value: string;
  /** The shown text; by default the value. */
  label?: ReactNode;
}

/** An id that is copied by a click. */
export function CopyId({ value, label }: CopyIdProps) {
  const t = useWords(words);
  const { isCopied, copy } = useCopy();
  return (
    <span className={classes["id"]}>
      <span className={classes["value"]}>{label ?? value}</span>
      <button
        type="button"
        className={classes["button"]}
        aria-label={t.copy(value)}
        title={t.copy(value)}
        onClick={() => void copy(value)}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span role="status" className={classes["said"]}>
        {isCopied ? t.copied : ""}
      </span>
    </span>
  );
}
