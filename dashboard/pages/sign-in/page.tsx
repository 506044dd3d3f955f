import { Button, Divider, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { goToProvider, useOidcOutcome } from "../../api/oidc.ts";
import { canUsePasskeys } from "../../api/passkeys.ts";
import { useSessionData } from "../../api/session.ts";
import { FormFault } from "../../ui/forms/form-fault.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Entrance } from "../../ui/layout/entrance.tsx";
import { errorMessage } from "../../ui/states/error-message.ts";
import { words as uiWords } from "../../ui/words.ts";
import { oidcWords } from "../../words/oidc-words.ts";
import { useWords } from "../../words/use-words.ts";
import { LockedFor } from "./locked-for.tsx";
import { useSignIn } from "./use-sign-in.ts";
import { words } from "./words.ts";

/** `hasEnded`: the session of an open page has ended. Signing in with the identity provider, a passkey, or e-mail and password and then the account's second step. */
export function SignInPage({ hasEnded }: { hasEnded: boolean }) {
  const t = useWords(words);
  const { data } = useSessionData();
  const ways = data?.ways_in ?? { password: true, passkeys: false, oidc: null };
  const signIn = useSignIn();
  const hasPasskeys = ways.passkeys && canUsePasskeys();
  const isFirst = signIn.second === null;
  return (
    <Entrance title={t.title} subtitle={hasEnded ? t.ended : undefined} otherLanguage={t.otherLanguage}>
      {isFirst && ways.oidc !== null ? <ProviderButton name={ways.oidc} /> : null}
      {isFirst && ways.oidc !== null && ways.password ? <Divider label={t.or} my={16} /> : null}
      {ways.password ? <PasswordForm signIn={signIn} /> : null}
      {isFirst && hasPasskeys ? (
        <Button variant="default" fullWidth mt={8} loading={signIn.isPending} onClick={() => signIn.signInByPasskey()}>
          {t.passkey}
        </Button>
      ) : null}
    </Entrance>
  );
}

function ProviderButton({ name }: { name: string }) {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const oidc = useWords(oidcWords);
  const outcome = useOidcOutcome();
  const go = useMutation({ mutationFn: () => goToProvider("/session/oidc") });
  const isDone = outcome === "linked" || outcome === "confirmed"; // and the session that it was for has ended
  const refused = outcome === null || isDone ? null : (oidc.reasons[outcome] ?? oidc.other);
  const fault = go.error === null ? refused : errorMessage(go.error, ui);
  return (
    <Stack gap={12}>
      {fault === null ? null : <FormFault>{fault}</FormFault>}
      <Button fullWidth loading={go.isPending || go.isSuccess} onClick={() => go.mutate()}>
        {t.byProvider(name)}
      </Button>
    </Stack>
  );
}

type SignIn = ReturnType<typeof useSignIn>;

function PasswordForm({ signIn }: { signIn: SignIn }) {
  const t = useWords(words);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const { second } = signIn;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ email, password, ...(second === null ? {} : { code: code.normalize("NFKC").trim() }) });
  };
  return (
    <form onSubmit={submit}>
      {second === null ? (
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
      ) : (
        <TextInput
          key="code"
          label={second.byCode ? t.code : t.recoveryCode}
          description={second.byCode ? t.recoveryHint : t.secondHint}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.slice(0, 20))}
          autoComplete="one-time-code"
          autoFocus
          required
        />
      )}
      <SignInFault signIn={signIn} />
      <Button type="submit" fullWidth loading={signIn.isPending}>
        {t.signIn}
      </Button>
      {second?.byPasskey === true && canUsePasskeys() ? (
        <Button
          variant="default"
          fullWidth
          loading={signIn.isPending}
          onClick={() => signIn.mutate({ email, password, withPasskey: true })}
        >
          {t.usePasskey}
        </Button>
      ) : null}
      {second === null ? null : (
        <Button variant="subtle" fullWidth onClick={signIn.startOver}>
          {t.back}
        </Button>
      )}
    </form>
  );
}

function SignInFault({ signIn }: { signIn: SignIn }) {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const { refusal } = signIn;
  if (refusal === null) return null;
  if (refusal.kind === "locked") return <LockedFor key={refusal.until} until={refusal.until} />;
  const texts = {
    wrong: t.wrong,
    wrongCode: t.wrongCode,
    wrongPasskey: t.passkeyRefused,
    cancelled: t.passkeyCancelled,
    other: errorMessage(refusal.error, ui),
  };
  return <FormFault>{texts[refusal.kind]}</FormFault>;
}
