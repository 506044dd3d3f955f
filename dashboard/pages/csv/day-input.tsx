import { TextInput } from "@mantine/core";

interface DayInputProps {
  label: string;
  /** `YYYY-MM-DD`; empty: none. */
  value: string;
  error: string | null;
  onChange(day: string): void;
}

/** A day of the store, chosen with the browser's picker. */
export function DayInput({ label, value, error, onChange }: DayInputProps) {
  return (
    <TextInput
      type="date"
      required
      label={label}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
