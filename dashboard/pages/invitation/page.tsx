import { Button, Loader } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { PasswordChoice, ShownOpenLink } from "../../../src/admin/session/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiAsk, apiSend } from "../../api/client.ts";
import { SESSION_KEY } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { FormFault } from "../../ui/forms/form-fault.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Entrance } from "../../ui/layout/entrance.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { errorMessage } from "../../ui/states/error-message.ts";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";
import { useLinkToken } from "./use-link-token.ts";
import { words } from "./words.ts";

/** The page of an invitation or reset link: the person, and the password that they choose. */
export function InvitationPage() {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const token = useLinkToken();
  const link = useQuery({
    queryKey: ["invitation", token],
    queryFn: async () => (await apiAsk<{ data: ShownOpenLink }>("/invitation/look", { token })).data,
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (link.data !== undefined) return <Choice token={token} link={link.data} />;
  const isOver = token === "" || (link.error instanceof ApiError && link.error.status === 404);
  return (
    <Entrance title={isOver ? t.over : t.title} otherLanguage={t.otherLanguage}>
      {isOver ? <p>{t.overHint}</p> : null}
      {link.error === null || isOver ? null : <FormFault>{errorMessage(link.error, ui)}</FormFault>}
      {link.isFetching ? <Loader aria-label={ui.loading} /> : <PageLink to="/">{t.toSignIn}</PageLink>}
    </Entrance>
  );
}

function Choice({ token, link }: { token: string; link: ShownOpenLink }) {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const [password, setPassword] = useState("");
  const choose = useChoose(token);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    choose.mutate(password);
  };
  const { error } = choose;
  const isShown = error instanceof ApiError && error.faults.some((fault) => fault.pointer === "/password");
  const isOver = error instanceof ApiError && error.status === 404;
  return (
    <Entrance
      title={link.kind === "invitation" ? t.welcome(link.name) : t.title}
      subtitle={t.subtitle(link.email)}
      otherLanguage={t.otherLanguage}
    >
      <form onSubmit={submit}>
        <input type="text" name="username" autoComplete="username" value={link.email} readOnly hidden />
        <PasswordField
          label={t.password}
          description={t.passwordHint}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faultOf(error, "/password")}
          autoComplete="new-password"
          autoFocus
          required
        />
        {error === null || isShown ? null : <FormFault>{isOver ? t.overHint : errorMessage(error, ui)}</FormFault>}
        <Button type="submit" fullWidth loading={choose.isPending}>
          {t.choose}
        </Button>
      </form>
    </Entrance>
  );
}

/** Sets the password and opens the dashboard, or the sign-in if a second factor is required. */
function useChoose(token: string) {
  const client = useQueryClient();
  const go = useNavigateTo();
  return useMutation({
    mutationFn: (password: string) => apiSend<{ data: PasswordChoice }>("POST", "/invitation", { token, password }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: SESSION_KEY });
      go("/", { replace: true });
    },
  });
}
