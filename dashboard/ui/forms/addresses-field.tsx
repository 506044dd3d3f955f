import { Textarea } from "@mantine/core";

/** Returns the e-mail addresses in a text: one per line, or separated by commas or semicolons. */
export function addressesOf(text: string): string[] {
  return text.split(/[\n,;]/).filter((part) => part.trim() !== "");
}

interface AddressesFieldProps {
  label: string;
  description: string;
  value: string;
  onChange(text: string): void;
  error: string | null;
}

export function AddressesField({ label, description, value, onChange, error }: AddressesFieldProps) {
  return (
    <Textarea
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autosize
      minRows={2}
    />
  );
}
