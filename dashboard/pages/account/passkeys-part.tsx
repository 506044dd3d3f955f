import { Button, Group, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { FactorsState } from "../../../src/admin/session/schema.ts";
import { apiGet, apiSend } from "../../api/client.ts";
import { canUsePasskeys, isPasskeyCancelled, isPasskeyThere, makePasskey } from "../../api/passkeys.ts";
import { SESSION_KEY, useSession } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { Section } from "../../ui/layout/section.tsx";
import rows from "../../ui/session-list.module.css";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { SecretOnce } from "../../ui/values/secret-once.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { PasskeyRow } from "./passkey-row.tsx";
import { FACTORS_KEY, useAccount } from "./use-account.ts";
import { words } from "./words.ts";

/** Passkeys of the account by name, and the recovery codes for a lost second step. */
export function PasskeysPart() {
  const t = useWords(words);
  const { ways_in: ways } = useSession();
  const factors = useQuery({
    queryKey: FACTORS_KEY,
    queryFn: async ({ signal }) => (await apiGet<{ data: FactorsState }>("/account/factors", {}, signal)).data,
  });
  const { passkeys = [] } = factors.data ?? {};
  const isHere = ways.passkeys && canUsePasskeys();
  if (!ways.password && passkeys.length === 0) return null; // the identity provider alone signs people in
  const notHere = ways.password ? t.passkeysNotHere : t.passkeysUnused;
  return (
    <Section title={t.passkeysTitle}>
      <p className={classes["text"]}>{isHere ? t.passkeysWhat : notHere}</p>
      {passkeys.length === 0 ? null : (
        <ul className={rows["list"]}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.uid} passkey={passkey} />
          ))}
        </ul>
      )}
      {isHere ? <AddPasskey /> : null}
    </Section>
  );
}

/** Recovery codes for a lost telephone. */
export function RecoveryPart() {
  const t = useWords(words);
  const { staff } = useSession();
  const factors = useQuery({
    queryKey: FACTORS_KEY,
    queryFn: async ({ signal }) => (await apiGet<{ data: FactorsState }>("/account/factors", {}, signal)).data,
  });
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const make = useAccount<{ data: { codes: string[] } }>("POST", "/account/recovery-codes", ({ data }) => {
    setIsAsking(false);
    setCodes(data.codes);
    void client.invalidateQueries({ queryKey: FACTORS_KEY });
  });
  if (!staff.has_totp && staff.passkeys === 0) return null;
  const left = factors.data?.recovery_codes ?? 0;
  return (
    <Section title={t.recoveryTitle}>
      <p className={classes["text"]}>{t.recoveryWhat}</p>
      <div className={classes["state"]}>
        <StateBadge tone={left === 0 ? "warn" : "good"}>{t.recoveryLeft(left)}</StateBadge>
        <Button
          variant="default"
          loading={make.isPending}
          onClick={() => (left === 0 ? make.mutate({}) : setIsAsking(true))}
        >
          {left === 0 ? t.recoveryMake : t.recoveryAgain}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        title={t.recoveryAgainTitle}
        confirm={t.recoveryAgain}
        isBusy={make.isPending}
        onConfirm={() => make.mutate({})}
        onClose={() => setIsAsking(false)}
      >
        {t.recoveryAgainWhat(left)}
      </ConfirmDialog>
      {codes === null ? null : (
        <SecretOnce
          title={t.recoveryTitle}
          hint={t.recoveryHint}
          items={codes.map((code, n) => [String(n + 1), code])}
          done={t.recoveryKept}
          onDone={() => setCodes(null)}
        />
      )}
    </Section>
  );
}

function AddPasskey() {
  const t = useWords(words);
  const client = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const isMaking = useRef(false);
  const add = useMutation({
    mutationFn: async (typed: string) =>
      apiSend("POST", "/account/passkeys", { name: typed, passkey: await makePasskey() }),
    onSuccess: async () => {
      setName(null);
      notifyDone(t.passkeyAdded);
      await Promise.all([FACTORS_KEY, SESSION_KEY].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    onError: (error) => (isPasskeyCancelled(error) || isPasskeyThere(error) ? undefined : notifyFailed(error)),
    onSettled: () => {
      isMaking.current = false;
    },
  });
  if (name === null) {
    return (
      <div>
        <Button
          variant="default"
          onClick={() => {
            add.reset();
            setName("");
          }}
        >
          {t.passkeyAdd}
        </Button>
      </div>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMaking.current) return; // a double click: the device would replace the first passkey, which stays listed
    isMaking.current = true;
    add.mutate(name);
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <TextInput
        label={t.passkeyName}
        description={t.passkeyNameHint}
        error={isPasskeyThere(add.error) ? t.passkeyThere : null}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        autoFocus
        required
      />
      <Group gap={8}>
        <Button type="submit" loading={add.isPending}>
          {t.passkeyMake}
        </Button>
        <Button variant="default" onClick={() => setName(null)}>
          {t.cancel}
        </Button>
      </Group>
    </form>
  );
}
