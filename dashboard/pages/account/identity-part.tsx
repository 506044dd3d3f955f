import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { goToProvider, useOidcOutcome } from "../../api/oidc.ts";
import { useSession } from "../../api/session.ts";
import { FormFault } from "../../ui/forms/form-fault.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { oidcWords } from "../../words/oidc-words.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { useAccount } from "./use-account.ts";
import { words } from "./words.ts";

/** The link between the account and the company's identity provider, and how an attempt to create one ended. */
export function IdentityPart() {
  const t = useWords(words);
  const oidc = useWords(oidcWords);
  const { staff, ways_in: ways } = useSession();
  const outcome = useOidcOutcome();
  const isDone = outcome === "linked" || outcome === "confirmed";
  useEffect(() => {
    if (outcome === "linked") notifyDone(t.identityLinked);
    if (outcome === "confirmed") notifyDone(t.identityConfirmed);
  }, [outcome, t]);
  const link = useMutation({ mutationFn: () => goToProvider("/account/oidc"), onError: notifyFailed });
  const unlink = useAccount("DELETE", "/account/oidc", () => notifyDone(t.identityUnlinked));
  if (ways.oidc === null) return null;
  return (
    <Section title={ways.oidc}>
      <p className={classes["text"]}>{t.identityWhat}</p>
      {outcome === null || isDone ? null : <FormFault>{oidc.reasons[outcome] ?? oidc.other}</FormFault>}
      <div className={classes["state"]}>
        <StateBadge tone={staff.has_identity ? "good" : "neutral"}>
          {staff.has_identity ? t.identityOn : t.identityOff}
        </StateBadge>
        {staff.has_identity ? null : (
          <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
            {t.identityLink}
          </Button>
        )}
        {staff.has_identity && ways.can_unlink ? (
          <Button variant="default" loading={unlink.isPending} onClick={() => unlink.mutate({})}>
            {t.identityUnlink}
          </Button>
        ) : null}
      </div>
    </Section>
  );
}
