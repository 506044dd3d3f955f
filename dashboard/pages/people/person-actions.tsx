import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { PersonRow, ShownLink } from "../../../src/admin/people/schema.ts";
import { useSession } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { hideUndo, notifyDone } from "../../ui/states/notify-done.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { MadeLinkDialog } from "./invite-dialog.tsx";
import { mailingsOf, type PeopleSend, usePeopleChange } from "./use-people.ts";
import { words } from "./words.ts";

interface PersonAction {
  readonly key: string;
  readonly label: string;
  readonly what: string;
  readonly send: PeopleSend;
  /** The notification after it is done. */
  readonly did: string;
  readonly undo?: PeopleSend;
  readonly tone?: "bad";
}

/** Actions on a person's access, each after a confirmation. */
export function PersonActions({ person }: { person: PersonRow }) {
  const t = useWords(words);
  const format = useFormat();
  const [asked, setAsked] = useState<PersonAction | null>(null);
  const [made, setMade] = useState<ShownLink | null>(null);
  const undone = usePeopleChange(() => notifyDone(t.isEnabled(person.name)));
  const change = usePeopleChange<{ data: Partial<ShownLink> & { uid: string } }>(({ data }) => {
    setAsked(null);
    const undo = asked?.undo;
    const { uid, link, mailed_to: mailedTo = null, expires_at: expiresAt } = data;
    hideUndo(uid);
    if (link !== undefined && expiresAt !== undefined)
      setMade({ uid, link, mailed_to: mailedTo, expires_at: expiresAt });
    else if (asked !== null)
      notifyDone(asked.did, undo === undefined ? undefined : { of: uid, run: () => undone.mutate(undo) });
  });
  return (
    <>
      <Group gap={8}>
        {useActions(person).map((action) => (
          <Button
            key={action.key}
            variant="default"
            {...(action.tone === "bad" ? { c: "var(--pk-bad)" } : {})}
            onClick={() => setAsked(action)}
          >
            {action.label}
          </Button>
        ))}
      </Group>
      <ConfirmDialog
        opened={asked !== null}
        title={asked?.label ?? ""}
        confirm={asked?.label ?? ""}
        {...(asked?.tone === undefined ? {} : { tone: asked.tone })}
        isBusy={change.isPending}
        onConfirm={() => asked !== null && change.mutate(asked.send)}
        onClose={() => setAsked(null)}
      >
        <p>{asked?.what}</p>
        {asked?.key === "disable" && mailingsOf(person).length > 0 ? (
          <p>{t.mailsGoOn(format.list(mailingsOf(person).map((mailing) => nameOf(t.mailings, mailing))))}</p>
        ) : null}
      </ConfirmDialog>
      {made === null ? null : <MadeLinkDialog name={person.name} made={made} onDone={() => setMade(null)} />}
    </>
  );
}

function useActions(person: PersonRow): PersonAction[] {
  const {
    uid,
    name,
    disabled_at: disabledAt,
    has_factor: hasFactor,
    can_unlink: canUnlink,
    has_password: hasPassword,
    sessions,
  } = person;
  const t = useWords(words);
  const { staff, ways_in: ways } = useSession();
  const isOwn = staff.uid === uid; // a person changes their own password and second step on the account page
  const path = `/people/${uid}`;
  const enable = { method: "POST", path: `${path}/enable` } as const;
  const reset = { method: "POST", path: `${path}/password` } as const;
  const signOut = { method: "DELETE", path: `${path}/sessions` } as const;
  const removeTotp = { method: "DELETE", path: `${path}/totp` } as const;
  const unlink = { method: "DELETE", path: `${path}/identity` } as const;
  const disable = { method: "POST", path: `${path}/disable` } as const;
  if (disabledAt !== null) {
    return [{ key: "enable", label: t.enable, what: t.enableWhat, send: enable, did: t.isEnabled(name) }];
  }
  return [
    ...(isOwn || !ways.password
      ? []
      : [
          {
            key: "reset",
            ...(hasPassword ? { label: t.reset, what: t.resetWhat } : { label: t.relink, what: t.relinkWhat }),
            send: reset,
            did: t.linkTitle(name),
          },
        ]),
    ...(sessions > 0
      ? [{ key: "sign-out", label: t.signOut, what: t.signOutWhat, send: signOut, did: t.signedOut(name) }]
      : []),
    ...(isOwn || !ways.password
      ? []
      : [
          {
            key: "link",
            label: t.showLink,
            what: t.showLinkWhat,
            send: { method: "POST", path: `${path}/password?show_link=true` } as const, // cast: the method is that literal
            did: t.linkTitle(name),
          },
        ]),
    ...(hasFactor && !isOwn
      ? [{ key: "totp", label: t.removeTotp, what: t.removeTotpWhat, send: removeTotp, did: t.totpRemoved(name) }]
      : []),
    ...(canUnlink && !isOwn
      ? [{ key: "unlink", label: t.unlink, what: t.unlinkWhat, send: unlink, did: t.unlinked(name) }]
      : []),
    {
      key: "disable",
      label: t.disable,
      what: t.disableWhat,
      send: disable,
      did: t.isDisabled(name),
      undo: enable,
      tone: "bad",
    },
  ];
}
