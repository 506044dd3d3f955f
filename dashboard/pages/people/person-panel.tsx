import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PersonRow } from "../../../src/admin/people/schema.ts";
import type { ListedSessionRow } from "../../../src/admin/session/schema.ts";
import { apiGet } from "../../api/client.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { SessionList } from "../../ui/session-list.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { PersonActions } from "./person-actions.tsx";
import { PersonState } from "./person-state.tsx";
import { RoleField } from "./role-field.tsx";
import { mailingsOf, usePeopleChange } from "./use-people.ts";
import { words } from "./words.ts";

/** One person: their data, the role, and actions on their access. */
export function PersonPanel({ person }: { person: PersonRow }) {
  const t = useWords(words);
  const format = useFormat();
  return (
    <SidePanel title={person.name} closeTo="/people">
      <Facts
        items={[
          [t.state, <PersonState key="state" person={person} />],
          ...(person.link_expires_at === null ? [] : [[t.linkUntil, format.minute(person.link_expires_at)] as const]), // cast: a pair, not a list
          [t.email, <CopyId key="email" value={person.email} />],
          [t.secondFactor, person.has_factor ? t.on : t.off],
          [t.created, <DateText key="created" at={person.created_at} />],
          [t.sessions, person.sessions === 0 ? t.never : t.devices(person.sessions)],
          [t.seen, <Time key="seen" at={person.seen_at} />],
          ...(mailingsOf(person).length === 0 ? [] : [[t.mailedBy, <Mailings key="mails" person={person} />] as const]), // cast: a pair
        ]}
      />
      <PageLink to={`/audit?actor=${person.uid}`}>{t.history}</PageLink>
      <RolePart person={person} />
      {person.sessions === 0 ? null : <SessionsPart uid={person.uid} />}
      <Section title={t.access}>
        <PersonActions person={person} />
      </Section>
    </SidePanel>
  );
}

/** The settings that have the person's address; there it can be removed. */
function Mailings({ person }: { person: PersonRow }) {
  const t = useWords(words);
  return mailingsOf(person).map((mailing) => (
    <div key={mailing}>
      <PageLink to={`/${mailing}`}>{nameOf(t.mailings, mailing)}</PageLink>
    </div>
  ));
}

/** The places and devices of the person's sessions. */
function SessionsPart({ uid }: { uid: string }) {
  const t = useWords(words);
  const list = useQuery({
    queryKey: ["people", uid, "sessions"],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: ListedSessionRow[] }>(`/people/${uid}/sessions`, {}, signal)).data,
  });
  const end = usePeopleChange(() => notifyDone(t.sessionEnded));
  return (
    <Section title={t.sessions}>
      <SessionList
        sessions={list.data ?? []}
        isBusy={end.isPending}
        onEnd={(session) => end.mutate({ method: "DELETE", path: `/people/${uid}/sessions/${session.uid}` })}
      />
    </Section>
  );
}

function RolePart({ person }: { person: PersonRow }) {
  const t = useWords(words);
  const [role, setRole] = useState(person.role);
  const change = usePeopleChange(() => notifyDone(t.roleChanged(person.name, t.roles[role])));
  const save = () => change.mutate({ method: "PUT", path: `/people/${person.uid}`, body: { role } });
  return (
    <Section title={t.role}>
      <Stack gap={12}>
        <RoleField value={role} onChange={setRole} hasHeading />
        <Group>
          <Button variant="default" disabled={role === person.role} loading={change.isPending} onClick={save}>
            {t.changeRole}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
