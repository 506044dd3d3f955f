import { TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface NumberTextProps {
  label: ReactNode;
  /** Shown while the field is not edited. */
  text: string;
  /** Parses the typed text to a value, or returns its fault. */
  read(text: string): { readonly value: number | null } | { readonly fault: string };
  onChange(value: number | null): void;
  description?: ReactNode;
  fault?: string | null;
  placeholder?: string;
  isDisabled?: boolean;
  unit?: ReactNode;
  className?: string;
}

/** A number that is typed as text: an invalid text shows its fault and changes nothing. */
export function NumberText(props: NumberTextProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const found = typed === null ? null : props.read(typed);
  const fault = found !== null && "fault" in found ? found.fault : (props.fault ?? null);
  return (
    <TextInput
      label={props.label}
      description={props.description}
      placeholder={props.placeholder ?? ""}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? props.text}
      error={fault}
      disabled={props.isDisabled ?? false}
      rightSection={props.unit}
      rightSectionWidth={props.unit === undefined ? 0 : 48}
      className={props.className ?? ""}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const next = props.read(text);
        if ("value" in next) props.onChange(next.value);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
