import { type ReactNode, useState } from "react";
import { useWords } from "../words/use-words.ts";
import classes from "./copy-id.module.css";
import { CheckIcon, CopyIcon } from "./icons.tsx";
import { words } from "./words.ts";

interface CopyIdProps {
  /** What is copied. */
  value: string;
  /** What is shown; else the value itself. */
  label?: ReactNode;
}

const SHOWN_MS = 1_500;

/** An id that a click copies. */
export function CopyId({ value, label }: CopyIdProps) {
  const t = useWords(words);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value).catch(() => copyBySelection(value));
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return (
    <span className={classes["id"]}>
      <span className={classes["value"]}>{label ?? value}</span>
      <button
        type="button"
        className={classes["button"]}
        aria-label={t.copy(value)}
        title={t.copy(value)}
        onClick={copy}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span role="status" className={classes["said"]}>
        {isCopied ? t.copied : ""}
      </span>
    </span>
  );
}

/** Where the page is not served by https, browsers have no clipboard for it but this. */
function copyBySelection(value: string): void {
  const field = document.createElement("textarea");
  field.value = value;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
