import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/fault-of.ts";
import { notifyDone } from "../../ui/notify-done.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Section } from "../../ui/section.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

const EMPTY = { current_password: "", password: "" };

/** Changes the password with the current one. */
export function PasswordForm() {
  const t = useWords(words);
  const { staff } = useSession();
  const [typed, setTyped] = useState(EMPTY);
  const change = useAccount("PUT", "/account", () => {
    setTyped(EMPTY);
    notifyDone(t.passwordChanged);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(typed);
  };
  const field = (name: keyof typeof EMPTY) => ({
    value: typed[name],
    required: true,
    error: faultOf(change.error, `/${name}`),
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Section title={t.passwordTitle}>
      <form className={classes["form"]} onSubmit={submit}>
        <input type="text" name="username" autoComplete="username" value={staff.email} readOnly hidden />
        <PasswordField {...field("current_password")} label={t.currentPassword} autoComplete="current-password" />
        <PasswordField
          {...field("password")}
          label={t.newPassword}
          description={t.passwordHint}
          autoComplete="new-password"
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          {t.changePassword}
        </Button>
      </form>
    </Section>
  );
}
