import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { apiSend } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { errorMessage } from "../ui/error-message.ts";
import { faultOf } from "../ui/fault-of.ts";
import { FormFault } from "../ui/form-fault.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { words as uiWords } from "../ui/words.ts";
import { useWords } from "../words/use-words.ts";
import { words } from "./words.ts";

/** The password, or a code of the authenticator app, before something that matters most. */
export function ConfirmationDialog({ onDone }: { onDone(isConfirmed: boolean): void }) {
  const t = useWords(words);
  const ui = useWords(uiWords);
  const { staff } = useSession();
  const [isByCode, setIsByCode] = useState(false);
  const [typed, setTyped] = useState("");
  const confirm = useMutation({
    mutationFn: (body: object) => apiSend("POST", "/session/confirm", body),
    onSuccess: () => onDone(true),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // the form that it was asked for may hold this dialog in React's tree
    confirm.mutate(isByCode ? { code: typed } : { password: typed });
  };
  const change = () => {
    setTyped("");
    confirm.reset();
    setIsByCode(!isByCode);
  };
  const { error } = confirm;
  const isShown = error instanceof ApiError && error.faults.some((fault) => fault.pointer !== undefined);
  return (
    <Modal opened onClose={() => onDone(false)} title={t.confirmTitle} closeButtonProps={{ "aria-label": t.close }}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <p>{t.confirmWhat}</p>
          <input type="text" name="username" autoComplete="username" value={staff.email} readOnly hidden />
          <ProofField key={String(isByCode)} isByCode={isByCode} value={typed} onChange={setTyped} error={error} />
          {error === null || isShown ? null : <FormFault>{errorMessage(error, ui)}</FormFault>}
          <Group justify="flex-end" gap={8}>
            {staff.has_totp ? (
              <Button variant="subtle" onClick={change}>
                {isByCode ? t.confirmByPassword : t.confirmByCode}
              </Button>
            ) : null}
            <Button variant="default" onClick={() => onDone(false)}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {t.confirmDo}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
    <TextInput
      label={t.confirmCode}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, "").slice(0, 6))}
      error={faultOf(error, "/code")}
      autoComplete="one-time-code"
      inputMode="numeric"
      data-autofocus
      required
    />
  );
}
