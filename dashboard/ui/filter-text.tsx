import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import classes from "./filter-text.module.css";
import { isComposing } from "./is-composing.ts";
import { wholeOf, wholeText } from "./typed-number.ts";

interface FilterTextProps {
  label: string;
  value: string;
  /** Called with the typed text when Enter is pressed or the field loses focus; with a date at once. */
  onChange(value: string): void;
  type?: "text" | "date" | "number";
  /** What the service found wrong with it. */
  error?: string | null;
  width?: number;
}

const DATE_WIDTH = 184;
const DATE_LABEL_WIDTH = 56;

/** A filter that is typed: it narrows the list when it is done, not with each key. Its label stands in the empty field, or before a date. */
export function FilterText({ label, value, onChange, type = "text", error, width = 144 }: FilterTextProps) {
  const shown = type === "number" ? numberText(value) : value;
  const [typed, setTyped] = useState(shown);
  useEffect(() => setTyped(shown), [shown]);
  const send = (text: string) => {
    const next = type === "number" ? plainNumber(text) : text.trim();
    if (next !== value) onChange(next);
  };
  const isDate = type === "date";
  const before = {
    leftSection: <span className={classes["label"]}>{label}</span>,
    leftSectionWidth: DATE_LABEL_WIDTH,
    leftSectionPointerEvents: "none" as const, // cast: the literal, not any text
  };
  return (
    <TextInput
      w={isDate ? DATE_WIDTH : width}
      aria-label={label}
      placeholder={label}
      {...(isDate ? before : {})}
      {...(type === "number" ? { inputMode: "numeric" as const } : { type })} // cast: the literal, not any text
      error={error ?? null}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        if (isDate) send(event.currentTarget.value);
      }}
      onBlur={() => send(typed)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !isComposing(event.nativeEvent)) send(typed);
      }}
    />
  );
}

/** A number of the address with its separators; what is none as it stands there. */
function numberText(value: string): string {
  const whole = wholeOf(value);
  return whole === null ? value : wholeText(whole);
}

/** A number as it was typed, as the service takes it; what is none goes there, to be refused by its name. */
function plainNumber(text: string): string {
  const whole = wholeOf(text);
  return whole === null ? text.trim() : String(whole);
}
