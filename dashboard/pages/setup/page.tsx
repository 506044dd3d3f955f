import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { FormFault } from "../../ui/forms/form-fault.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Entrance } from "../../ui/layout/entrance.tsx";
import { errorMessage } from "../../ui/states/error-message.ts";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** The first run: there is nobody yet, and the person who creates the first account is the store's owner. */
export function SetupPage() {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const [owner, setOwner] = useState({ code: "", name: "", email: "", password: "" });
  const create = useCreateOwner();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(owner);
  };
  const field = (name: keyof typeof owner) => ({
    label: t[name],
    value: owner[name],
    required: true,
    error: faultOf(create.error, `/${name}`),
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget;
      setOwner((before) => ({ ...before, [name]: value }));
    },
  });
  const isShown = create.error instanceof ApiError && create.error.faults.some((fault) => fault.pointer !== undefined);
  return (
    <Entrance title={t.title} subtitle={t.subtitle} otherLanguage={t.otherLanguage}>
      <form onSubmit={submit}>
        <TextInput {...field("code")} description={t.codeHint} autoComplete="off" autoFocus />
        <TextInput {...field("name")} autoComplete="name" />
        <TextInput {...field("email")} type="email" autoComplete="username" />
        <PasswordField {...field("password")} description={t.passwordHint} autoComplete="new-password" />
        {create.error === null || isShown ? null : <FormFault>{errorMessage(create.error, ui)}</FormFault>}
        <Button type="submit" fullWidth loading={create.isPending}>
          {t.create}
        </Button>
      </form>
    </Entrance>
  );
}

function useCreateOwner() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (owner: { code: string; name: string; email: string; password: string }) =>
      apiSend("POST", "/setup", owner),
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
  });
}
