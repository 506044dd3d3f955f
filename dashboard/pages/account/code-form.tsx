import { Button, Group } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { CodeField } from "../../ui/forms/code-field.tsx";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import type { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

interface CodeFormProps {
  change: ReturnType<typeof useAccount>;
  action: string;
  /** The password is required too. */
  asksPassword?: boolean;
  onCancel(): void;
}

/** Asks for a code of the authenticator app. */
export function CodeForm({ change, action, asksPassword = false, onCancel }: CodeFormProps) {
  const t = useWords(words);
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(asksPassword ? { code, current_password: password } : { code });
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <CodeField label={t.totpCode} value={code} onChange={setCode} error={faultOf(change.error, "/code")} />
      {asksPassword ? (
        <PasswordField
          label={t.currentPassword}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faultOf(change.error, "/current_password")}
          autoComplete="current-password"
          required
        />
      ) : null}
      <Group gap={8}>
        <Button type="submit" loading={change.isPending}>
          {action}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t.cancel}
        </Button>
      </Group>
    </form>
  );
}
