import { Page } from "../../ui/layout/page.tsx";
import { useWords } from "../../words/use-words.ts";
import { IdentityPart } from "./identity-part.tsx";
import classes from "./page.module.css";
import { PasskeysPart, RecoveryPart } from "./passkeys-part.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { SessionsPart } from "./sessions-part.tsx";
import { TotpPart } from "./totp-part.tsx";
import { words } from "./words.ts";

/** The settings of the signed-in person: name, language, password, the second step, sessions. */
export function AccountPage() {
  const t = useWords(words);
  return (
    <Page title={t.title}>
      <div className={classes["parts"]}>
        <ProfileForm />
        <PasswordForm />
        <TotpPart />
        <PasskeysPart />
        <RecoveryPart />
        <IdentityPart />
        <SessionsPart />
      </div>
    </Page>
  );
}
