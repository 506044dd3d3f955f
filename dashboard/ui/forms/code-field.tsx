import { TextInput, type TextInputProps } from "@mantine/core";

interface CodeFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  onChange(digits: string): void;
}

const DIGITS = 6;

/** The six digits of an authenticator app, also typed with a Japanese input method; during its composition they are not changed. */
export function CodeField({ onChange, ...rest }: CodeFieldProps) {
  return (
    <TextInput
      {...rest}
      onChange={({ currentTarget: { value }, nativeEvent }) => {
        const isOpen = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
        onChange(isOpen ? value : digitsOf(value));
      }}
      onCompositionEnd={(event) => onChange(digitsOf(event.currentTarget.value))}
      autoComplete="one-time-code"
      inputMode="numeric"
      required
    />
  );
}

function digitsOf(text: string): string {
  return text.normalize("NFKC").replace(/\D/g, "").slice(0, DIGITS);
}
