import { TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";
import { wholeOf, wholeText } from "./typed-number.ts";

interface WholeFieldProps {
  label: ReactNode;
  value: number | null;
  /** Called with null while the text is not a whole number. */
  onChange(value: number | null): void;
  description?: ReactNode;
  /** The service's fault for it. */
  error?: string | null;
  /** The unit of the number, shown after it. */
  unit?: string;
  isDisabled?: boolean;
  isFirst?: boolean;
}

/**
 * A required whole number of at least 0. It is a text field, so that an input method can compose it and full-width digits are accepted; a form cannot
 * be sent while it is invalid.
 */
export function IntegerField({
  value,
  onChange,
  error = null,
  unit,
  isDisabled = false,
  isFirst = false,
  ...rest
}: WholeFieldProps) {
  const t = useWords(words);
  const [typed, setTyped] = useState<string | null>(null);
  const isUnread = typed !== null && typed.trim() !== "" && wholeOf(typed) === null;
  return (
    <TextInput
      {...rest}
      ref={(input) => input?.setCustomValidity(isUnread ? t.notWhole : "")}
      inputMode="numeric"
      autoComplete="off"
      required
      disabled={isDisabled}
      value={typed ?? (value === null ? "" : wholeText(value))}
      error={isUnread ? t.notWhole : error}
      rightSection={unit === undefined ? null : <span aria-hidden="true">{unit}</span>}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        onChange(wholeOf(text));
      }}
      onBlur={() => {
        if (!isUnread) setTyped(null);
      }}
      {...(isFirst ? { "data-autofocus": true } : {})}
    />
  );
}
