import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

const EMPTY = { current_password: "", password: "" };

/** Changes the password with the current one. */
export function PasswordForm() {
  const t = useWords(words);
  const { staff, ways_in: ways } = useSession();
  const [typed, setTyped] = useState(EMPTY);
  const change = useAccount("PUT", "/account", () => {
    setTyped(EMPTY);
    notifyDone(t.passwordChanged);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(staff.has_password ? typed : { password: typed.password });
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
  if (!ways.password) return null;
  return (
    <Section title={t.passwordTitle}>
      <form className={classes["form"]} onSubmit={submit}>
        <input type="text" name="username" autoComplete="username" value={staff.email} readOnly hidden />
        {staff.has_password ? (
          <PasswordField {...field("current_password")} label={t.currentPassword} autoComplete="current-password" />
        ) : (
          <p className={classes["text"]}>{t.setPasswordWhat}</p>
        )}
        <PasswordField
          {...field("password")}
          label={t.newPassword}
          description={t.passwordHint}
          autoComplete="new-password"
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          {staff.has_password ? t.changePassword : t.setPassword}
        </Button>
      </form>
    </Section>
  );
}
