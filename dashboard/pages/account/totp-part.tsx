import { Button } from "@mantine/core";
import { useState } from "react";
import type { TotpDraft } from "../../../src/admin/session/schema.ts";
import { useSession } from "../../api/session.ts";
import { Section } from "../../ui/layout/section.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { CodeForm } from "./code-form.tsx";
import classes from "./page.module.css";
import { QrCode } from "./qr-code.tsx";
import { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

/** A key in blocks of four characters, which a person can type. Apps take it with the spaces or without. */
function inBlocks(key: string): string {
  return key.replaceAll(/.{4}(?=.)/g, "$& ");
}

/** The second step of signing in: a code that proves that the app has the key turns it on, another one turns it off. */
export function TotpPart() {
  const t = useWords(words);
  const { staff, ways_in: ways } = useSession();
  const [draft, setDraft] = useState<TotpDraft | null>(null);
  const [isEnding, setIsEnding] = useState(false);
  const begin = useAccount<{ data: TotpDraft }>("POST", "/account/totp", ({ data }) => setDraft(data));
  const confirm = useAccount("PUT", "/account/totp", () => {
    setDraft(null);
    notifyDone(t.totpTurnedOn);
  });
  const end = useAccount("DELETE", "/account/totp", () => {
    setIsEnding(false);
    notifyDone(t.totpTurnedOff);
  });
  const isOn = staff.has_totp;
  const start = () => (isOn ? setIsEnding(true) : begin.mutate({}));
  if (!isOn && !ways.password) return null; // the identity provider alone signs people in, with its own second step
  return (
    <Section title={t.totpTitle}>
      <p className={classes["text"]}>{t.totpWhat}</p>
      <div className={classes["state"]}>
        <StateBadge tone={isOn ? "good" : "neutral"}>{isOn ? t.totpOn : t.totpOff}</StateBadge>
        {draft !== null || isEnding ? null : (
          <Button variant="default" loading={begin.isPending} onClick={start}>
            {isOn ? t.totpEnd : t.totpBegin}
          </Button>
        )}
      </div>
      {draft === null ? null : (
        <>
          <p className={classes["text"]}>{t.totpScan}</p>
          <QrCode text={draft.uri} label={t.totpPicture} />
          <div>
            {t.totpByHand} <CopyId value={draft.secret} label={inBlocks(draft.secret)} />
          </div>
          <CodeForm
            change={confirm}
            action={t.totpConfirm}
            asksPassword={staff.has_password}
            onCancel={() => setDraft(null)}
          />
        </>
      )}
      {isEnding ? (
        <>
          <p className={classes["text"]}>{t.totpEndWhat}</p>
          <CodeForm change={end} action={t.totpEnd} onCancel={() => setIsEnding(false)} />
        </>
      ) : null}
    </Section>
  );
}
