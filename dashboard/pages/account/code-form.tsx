import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { faultOf } from "../../ui/fault-of.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import type { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

interface CodeFormProps {
  change: ReturnType<typeof useAccount>;
  action: string;
  onCancel(): void;
}

/** Asks for a code of the authenticator app. */
export function CodeForm({ change, action, onCancel }: CodeFormProps) {
  const t = useWords(words);
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ code });
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <TextInput
        label={t.totpCode}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, "").slice(0, 6))}
        error={faultOf(change.error, "/code")}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
      />
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
