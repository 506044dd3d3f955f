import { Checkbox, Stack } from "@mantine/core";
import { SCOPES } from "../../../src/wire/access.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

interface ScopesFieldProps {
  value: string[];
  onChange(scopes: string[]): void;
  error: string | null;
}

/** A credential's scopes as check boxes. */
export function ScopesField({ value, onChange, error }: ScopesFieldProps) {
  const t = useWords(words);
  return (
    <Checkbox.Group label={t.scopes} value={value} onChange={onChange} error={error}>
      <Stack gap={8} mt={4}>
        {SCOPES.map((scope) => (
          <Checkbox key={scope} value={scope} label={t.scopeNames[scope]} description={t.scopeHints[scope]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
