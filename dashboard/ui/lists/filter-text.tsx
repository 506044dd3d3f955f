import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { isComposing } from "../forms/is-composing.ts";
import { wholeOf, wholeText } from "../forms/typed-number.ts";
import classes from "./filter-text.module.css";

interface FilterTextProps {
  label: string;
  value: string;
  /** Called with the typed text when Enter is pressed or the field loses focus; for a date at once. */
  onChange(value: string): void;
  type?: "text" | "date" | "number";
  /** The service's fault for it. */
  error?: string | null;
  width?: number;
}

const DATE_WIDTH = 184;
const DATE_LABEL_WIDTH = 56;

/** A typed filter: it applies when typing is finished, not with each key. Its label is in the empty field, or before a date. */
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

/** Formats a number of the address with separators; an invalid one is unchanged. */
function numberText(value: string): string {
  const whole = wholeOf(value);
  return whole === null ? value : wholeText(whole);
}

/** Converts a typed number for the service; an invalid one is sent unchanged, and refused by name. */
function plainNumber(text: string): string {
  const whole = wholeOf(text);
  return whole === null ? text.trim() : String(whole);
}
