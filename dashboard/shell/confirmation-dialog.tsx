import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { apiSend } from "../api/client.ts";
import { confirmAtProvider } from "../api/oidc.ts";
import { askForPasskey, canUsePasskeys, isPasskeyCancelled } from "../api/passkeys.ts";
import { SESSION_QUERY, useSession } from "../api/session.ts";
import { CodeField } from "../ui/forms/code-field.tsx";
import { faultOf } from "../ui/forms/fault-of.ts";
import { FormFault } from "../ui/forms/form-fault.tsx";
import { PasswordField } from "../ui/forms/password-field.tsx";
import { errorMessage } from "../ui/states/error-message.ts";
import { words as uiWords } from "../ui/words.ts";
import { useWords } from "../words/use-words.ts";
import { words } from "./words.ts";

/** Asks for the password, a code of the authenticator app, a passkey or the identity provider before a sensitive change. */
export function ConfirmationDialog({ onDone }: { onDone(isConfirmed: boolean): void }) {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const { staff, ways_in: ways } = useSession();
  const confirm = useMutation({
    mutationFn: async (body: object | "passkey") =>
      apiSend(
        "POST",
        "/session/confirm",
        body === "passkey" ? { passkey: await askForPasskey("/session/confirm/passkey") } : body,
      ),
    onSuccess: () => onDone(true),
  });
  const atProvider = useProvider(onDone);
  const error = isPasskeyCancelled(confirm.error) ? atProvider.error : (confirm.error ?? atProvider.error);
  const isShown =
    error instanceof ApiError &&
    error.faults.some((fault) => fault.pointer !== undefined && fault.pointer !== "/passkey");
  return (
    <Modal opened onClose={() => onDone(false)} title={t.confirmTitle} closeButtonProps={{ "aria-label": t.close }}>
      <Stack gap={16}>
        <p>{t.confirmWhat}</p>
        {error === null || isShown ? null : <FormFault>{errorMessage(error, ui)}</FormFault>}
        {staff.passkeys > 0 && ways.passkeys && canUsePasskeys() ? (
          <Button variant="default" loading={confirm.isPending} onClick={() => confirm.mutate("passkey")}>
            {t.confirmPasskey}
          </Button>
        ) : null}
        {staff.has_identity && ways.oidc !== null ? (
          <Button variant="default" loading={atProvider.isPending} onClick={() => atProvider.mutate()}>
            {t.confirmProvider(ways.oidc)}
          </Button>
        ) : null}
        {atProvider.isSuccess ? <p>{t.confirmProviderWhat}</p> : null}
        {staff.has_password || staff.has_totp ? <ProofForm confirm={confirm} onCancel={() => onDone(false)} /> : null}
      </Stack>
    </Modal>
  );
}

/** Opens the provider in another tab; when this one is used again, it checks whether the session was confirmed there. */
function useProvider(onDone: (isConfirmed: boolean) => void) {
  const client = useQueryClient();
  const go = useMutation({ mutationFn: confirmAtProvider });
  useEffect(() => {
    if (!go.isSuccess) return;
    const look = async () => {
      const { confirmed_until: until } = await client.fetchQuery({ ...SESSION_QUERY, staleTime: 0 });
      if (until !== null) onDone(true);
    };
    const listen = () => void look().catch(() => undefined); // the next check tries again
    addEventListener("focus", listen);
    return () => removeEventListener("focus", listen);
  }, [client, go.isSuccess, onDone]);
  return go;
}

interface ProofFormProps {
  confirm: { mutate(body: object): void; reset(): void; isPending: boolean; error: unknown };
  onCancel(): void;
}

function ProofForm({ confirm, onCancel }: ProofFormProps) {
  const t = useWords(words);
  const { staff } = useSession();
  const [isByCode, setIsByCode] = useState(!staff.has_password);
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // in React's tree, the form that needs it may contain this dialog
    confirm.mutate(isByCode ? { code: typed } : { password: typed });
  };
  const change = () => {
    setTyped("");
    confirm.reset();
    setIsByCode(!isByCode);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={16}>
        <input type="text" name="username" autoComplete="username" value={staff.email} readOnly hidden />
        <ProofField
          key={String(isByCode)}
          isByCode={isByCode}
          value={typed}
          onChange={setTyped}
          error={confirm.error}
        />
        <Group justify="flex-end" gap={8}>
          {staff.has_totp && staff.has_password ? (
            <Button variant="subtle" onClick={change}>
              {isByCode ? t.confirmByPassword : t.confirmByCode}
            </Button>
          ) : null}
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            {t.confirmDo}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ProofFieldProps {
  isByCode: boolean;
  value: string;
  onChange(text: string): void;
  error: unknown;
}

function ProofField({ isByCode, value, onChange, error }: ProofFieldProps) {
  const t = useWords(words);
  if (!isByCode) {
    return (
      <PasswordField
        label={t.confirmPassword}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={faultOf(error, "/password")}
        autoComplete="current-password"
        data-autofocus
        required
      />
    );
  }
  return (
    <CodeField label={t.confirmCode} value={value} onChange={onChange} error={faultOf(error, "/code")} data-autofocus />
  );
}
