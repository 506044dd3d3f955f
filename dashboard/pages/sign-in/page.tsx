import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Entrance } from "../../ui/entrance.tsx";
import { errorMessage } from "../../ui/error-message.ts";
import { FormFault } from "../../ui/form-fault.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";
import { LockedFor } from "./locked-for.tsx";
import { useSignIn } from "./use-sign-in.ts";
import { words } from "./words.ts";

/** E-mail and password, then the code of the authenticator where the account has one. */
export function SignInPage() {
  const t = useWords(words);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const signIn = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ email, password, ...(signIn.wantsCode ? { code } : {}) });
  };
  return (
    <Entrance title={t.title} otherLanguage={t.otherLanguage}>
      <form onSubmit={submit}>
        {signIn.wantsCode ? (
          <TextInput
            key="code"
            label={t.code}
            description={t.codeHint}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, "").slice(0, 6))}
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
            required
          />
        ) : (
          <>
            <TextInput
              label={t.email}
              type="email"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              autoComplete="username"
              autoFocus
              required
            />
            <PasswordField
              label={t.password}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="current-password"
              required
            />
          </>
        )}
        <SignInFault signIn={signIn} />
        <Button type="submit" fullWidth loading={signIn.isPending}>
          {t.signIn}
        </Button>
        {signIn.wantsCode ? (
          <Button variant="subtle" fullWidth onClick={signIn.startOver}>
            {t.back}
          </Button>
        ) : null}
      </form>
    </Entrance>
  );
}

function SignInFault({ signIn }: { signIn: ReturnType<typeof useSignIn> }) {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const { refusal } = signIn;
  if (refusal === null) return null;
  if (refusal.kind === "locked") return <LockedFor key={refusal.until} until={refusal.until} />;
  const text = { wrong: t.wrong, wrongCode: t.wrongCode, other: errorMessage(refusal.error, ui) }[refusal.kind];
  return <FormFault>{text}</FormFault>;
}
