import { TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface NumberTextProps {
  label: ReactNode;
  /** Shown while nobody types. */
  text: string;
  /** What was typed as a value, or why it is none. */
  read(text: string): { readonly value: number | null } | { readonly fault: string };
  onChange(value: number | null): void;
  description?: ReactNode;
  fault?: string | null;
  placeholder?: string;
  isDisabled?: boolean;
  unit?: ReactNode;
  className?: string;
}

/** A number that is typed as text: what cannot be read says why while it stands there, and changes nothing. */
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
