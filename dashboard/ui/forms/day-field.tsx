import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef, useState } from "react";

interface DayFieldProps extends Pick<TextInputProps, "label" | "aria-label" | "min" | "max"> {
  /** `2026-03-01`. */
  value: string;
  onChange(day: string): void;
}

const WAIT_MS = 600;
const FIRST_DAY = "1900-01-01";

/** A day of a period, which applies at once: shortly after it was chosen or typed, because every digit of a year makes a day, and when the field is left. */
export function DayField({ value, onChange, ...shown }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const apply = (day: string | null) => {
    if (day !== null && day >= FIRST_DAY && day !== value) onChange(day);
  };
  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed), WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      {...shown}
      type="date"
      value={typed ?? value}
      onChange={({ currentTarget: { value: text } }) => setTyped(text)}
      onBlur={() => {
        apply(typed);
        setTyped(null);
      }}
    />
  );
}
