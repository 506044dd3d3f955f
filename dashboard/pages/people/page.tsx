import { Button } from "@mantine/core";
import { useState } from "react";
import type { PersonRow } from "../../../src/admin/people/schema.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import classes from "./page.module.css";
import { PersonPanel } from "./person-panel.tsx";
import { PersonState } from "./person-state.tsx";
import { PEOPLE_QUERY, usePeople } from "./use-people.ts";
import { words } from "./words.ts";

/** The people who may sign in, and their roles; a person's panel has its own address. */
export function PeoplePage() {
  const t = useWords(words);
  const people = usePeople();
  const uid = useParam("uid");
  const [isInviting, setIsInviting] = useState(false);
  const chosen = people.data?.find((person) => person.uid === uid);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      action={<Button onClick={() => setIsInviting(true)}>{t.invite}</Button>}
    >
      <DataTable
        caption={t.title}
        columns={useColumns()}
        rows={people.data}
        rowKey={(person) => person.uid}
        rowLink={(person) => `/people/${person.uid}`}
        linksToPanel
        isLoading={people.isLoading}
        error={people.error}
        onRetry={people.refetch}
        empty={t.none}
      />
      {isInviting ? <InviteDialog onClose={() => setIsInviting(false)} /> : null}
      {chosen === undefined ? null : <PersonPanel key={chosen.uid} person={chosen} />}
    </Page>
  );
}

PeoplePage.prefetchedQueries = () => [PEOPLE_QUERY];

function useColumns(): Column<PersonRow>[] {
  const t = useWords(words);
  const { staff } = useSession();
  return [
    {
      key: "name",
      onPhone: "first",
      header: t.person,
      render: ({ uid, name }) => (
        <span className={classes["line"]}>{uid === staff.uid ? `${name} (${t.you})` : name}</span>
      ),
    },
    { key: "email", onPhone: "second", header: t.email, render: ({ email }) => email },
    {
      key: "role",
      onPhone: "second",
      header: t.role,
      render: ({ role }) => <span className={classes["line"]}>{t.roles[role]}</span>,
    },
    {
      key: "totp",
      onPhone: "named",
      header: t.secondFactor,
      render: ({ has_factor }) => (has_factor ? t.on : t.off),
    },
    { key: "seen", onPhone: "named", header: t.seen, render: ({ seen_at }) => <Time at={seen_at} /> },
    { key: "state", onPhone: "second", header: t.state, render: (person) => <PersonState person={person} /> },
  ];
}
