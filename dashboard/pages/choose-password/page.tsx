import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
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

/** Replaces every page until a person with a generated password has chosen another. */
export function ChoosePasswordPage() {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const [password, setPassword] = useState("");
  const choose = useThenSession((chosen: string) => apiSend("PUT", "/account", { password: chosen }));
  const signOut = useThenSession(() => apiSend("DELETE", "/session"));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    choose.mutate(password);
  };
  const fault = faultOf(choose.error, "/password");
  const error = choose.error ?? signOut.error;
  return (
    <Entrance title={t.title} subtitle={t.subtitle} otherLanguage={t.otherLanguage}>
      <form onSubmit={submit}>
        <PasswordField
          label={t.password}
          description={t.passwordHint}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={fault}
          autoComplete="new-password"
          autoFocus
          required
        />
        {error === null || fault !== null ? null : <FormFault>{errorMessage(error, ui)}</FormFault>}
        <Button type="submit" fullWidth loading={choose.isPending}>
          {t.choose}
        </Button>
        <Button variant="subtle" fullWidth loading={signOut.isPending} onClick={() => signOut.mutate("")}>
          {t.signOut}
        </Button>
      </form>
    </Entrance>
  );
}

function useThenSession(send: (text: string) => Promise<void>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: send, onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY }) });
}
