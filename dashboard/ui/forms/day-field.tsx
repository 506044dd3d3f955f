import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef, useState } from "react";

interface DayFieldProps extends Pick<TextInputProps, "label" | "aria-label"> {
  /** The first and the last day of the choice. */
  min?: string | undefined;
  max?: string | undefined;
  /** `2026-03-01`. */
  value: string;
  onChange(day: string): void;
}

const WAIT_MS = 600;
const FIRST_DAY = "1900-01-01";

/**
 * A day of a period, which applies at once: shortly after it was chosen or typed, because every digit of a year makes a day, and when the field is left.
 * A day outside the choice may be half typed, so it applies only by Enter or when the field is left.
 */
export function DayField({ value, onChange, min, max, ...shown }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const apply = (day: string | null) => {
    if (day !== null && day >= FIRST_DAY && day !== value) onChange(day);
  };
  const applyInside = (day: string | null) => {
    if (day !== null && day >= (min ?? day) && day <= (max ?? day)) apply(day);
  };
  const applyTyped = () => {
    apply(typed);
    setTyped(null);
  };
  const latest = useRef(applyInside);
  latest.current = applyInside;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed), WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      {...shown}
      {...{ min, max }}
      type="date"
      value={typed ?? value}
      onChange={({ currentTarget: { value: text } }) => setTyped(text)}
      onBlur={applyTyped}
      onKeyDown={({ key }) => {
        if (key === "Enter") applyTyped();
      }}
    />
  );
}
