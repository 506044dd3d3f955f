import { Button, Textarea } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { NoteRow } from "../../../src/admin/customers/profile-schema.ts";
import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { NOTE_LENGTH_MAX } from "../../../src/wire/limits.ts";
import { apiGet } from "../../api/client.ts";
import { newUid } from "../../api/new-uid.ts";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { PageForm } from "../../ui/forms/page-form.tsx";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { Pager } from "../../ui/lists/pager.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { customerKey, customerPath, useCustomerChange } from "./use-customer.ts";
import { words } from "./words.ts";

/** Notes about the customer, newest first. */
export function NoteList({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const { can } = useSession();
  const { id } = customer;
  const [{ after }, setState] = useUrlState({ after: "" });
  const list = useQuery({
    queryKey: [...customerKey(id), "notes", after],
    queryFn: ({ signal }) =>
      apiGet<{ data: NoteRow[]; next: string | null }>(`${customerPath(id)}/notes`, { after }, signal),
    placeholderData: keepPreviousData,
  });
  const notes = list.data?.data ?? [];
  return (
    <div className={classes["notes"]}>
      {customer.deleted_at === null && can("customers.change") ? <AddNote id={id} /> : null}
      {list.error === null ? null : <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {notes.length === 0 ? (
        list.isSuccess && <EmptyState title={t.noNotes} />
      ) : (
        <ul className={classes["noteRows"]} aria-label={t.tabs.notes}>
          {notes.map((note) => (
            <NoteItem key={note.uid} id={id} note={note} />
          ))}
        </ul>
      )}
      <Pager next={list.data?.next} after={after} onAfter={(next) => setState({ after: next })} />
    </div>
  );
}

function AddNote({ id }: { id: string }) {
  const t = useWords(words);
  const [text, setText] = useState("");
  const sent = useRef({ uid: newUid(), text: "" });
  const add = useCustomerChange(id, () => {
    const { text: added } = sent.current;
    sent.current = { uid: newUid(), text: "" };
    setText((typed) => textAfter(added, typed));
    notifyDone(t.noteAdded);
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // Sent again it is the same note, and what is corrected after a lost answer is another one.
    const isSame = sent.current.text.trim() === text.trim();
    sent.current = { uid: isSame ? sent.current.uid : newUid(), text };
    add.mutate(
      { method: "POST", path: "/notes", body: { request_uid: sent.current.uid, text: text.trim() } },
      { onError: (error) => (faultOf(error, "/text") === null ? notifyFailed(error) : undefined) },
    );
  };
  return (
    <PageForm className={classes["notes"]} onSubmit={onSubmit} noValidate>
      <Textarea
        label={t.noteText}
        description={t.noteHint}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        maxLength={NOTE_LENGTH_MAX}
        error={faultOf(add.error, "/text")}
        autosize
        minRows={2}
        maxRows={12}
      />
      <div>
        <Button type="submit" loading={add.isPending} disabled={text.trim() === ""}>
          {t.addNote}
        </Button>
      </div>
    </PageForm>
  );
}

/** What was typed while a text was sent. */
function textAfter(sent: string, typed: string): string {
  return typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
}

function NoteItem({ id, note }: { id: string; note: NoteRow }) {
  const t = useWords(words);
  const [isAsking, setIsAsking] = useState(false);
  const remove = useCustomerChange(id, () => {
    setIsAsking(false);
    notifyDone(t.noteRemoved);
  });
  return (
    <li className={classes["note"]}>
      <div className={classes["line"]}>
        <strong>{note.written_name}</strong>
        <span className={classes["quiet"]}>
          <Time at={note.written_at} />
        </span>
        {note.can_remove ? (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setIsAsking(true)}
            aria-label={t.removeNoteOf(note.written_name)}
          >
            {t.removeNote}
          </Button>
        ) : null}
      </div>
      <p className={classes["noteText"]}>{note.text}</p>
      <ConfirmDialog
        opened={isAsking}
        title={t.removeNoteTitle}
        confirm={t.removeNote}
        tone="bad"
        isBusy={remove.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => remove.mutate({ method: "DELETE", path: `/notes/${note.uid}` }, { onError: notifyFailed })}
      >
        {t.removeNoteText}
      </ConfirmDialog>
    </li>
  );
}
