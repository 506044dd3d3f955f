import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";

/** A password, which a button can show; it reports a fault to assistive technology, like other fields. */
export function PasswordField(props: PasswordInputProps) {
  const t = useWords(words);
  return (
    <PasswordInput
      aria-invalid={props.error == null ? undefined : true}
      visibilityToggleButtonProps={{ "aria-label": t.showPassword, tabIndex: 0 }}
      {...props}
    />
  );
}
