import { type CustomerNote, selectNotes } from "../../customers/notes/note-queries.ts";
import { removeNote } from "../../customers/notes/remove-note.ts";
import { writeNote } from "../../customers/notes/write-note.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { can } from "../../staff/permissions.ts";
import { formatInstant } from "../../time/store-time.ts";
import { READ_ROWS } from "../list.ts";
import { listParts, type Part } from "./list-parts.ts";
import { changedNoteAnswer, noteBody, noteParams, notesAnswer } from "./profile-schema.ts";
import { pageQuery, shownCustomerParams } from "./schema.ts";

const notePart: Part<CustomerNote> = {
  select: (queryable, customer, after) => selectNotes(queryable, customer, { ...after, limit: READ_ROWS }),
  positionOf: ({ writtenAt: at, uid: id }) => ({ at, id }),
};

const config = { permission: "customers.change" } as const;

/** Routes of the notes that staff write about a customer. */
export function noteRoutes(app: App, deps: Deps): void {
  const asked = { params: shownCustomerParams, querystring: pageQuery, response: { 200: notesAnswer } };
  app.get(
    "/customers/:id/notes",
    { config: { permission: "view" }, schema: { hide: true, ...asked } },
    async ({ params, query, staff }) => {
      const { rows, next } = await listParts(deps, params.id, query.after, notePart);
      const mayChange = (note: CustomerNote) =>
        can(staff.role, "customers.manage") || (can(staff.role, "customers.change") && note.writtenBy === staff.uid);
      const data = rows.map((note) => ({
        uid: note.uid,
        text: note.body,
        written_name: note.writtenName,
        written_at: formatInstant(note.writtenAt),
        can_remove: mayChange(note),
      }));
      return { data, next };
    },
  );
  const added = { params: shownCustomerParams, body: noteBody, response: { 200: changedNoteAnswer } };
  app.post("/customers/:id/notes", { config, schema: { hide: true, ...added } }, async (request) => {
    const { uid: writtenBy, name: writtenName } = request.staff;
    const { request_uid: uid, text: body } = request.body;
    await writeNote(deps, request.params.id, { uid, body, writtenBy, writtenName });
    return { data: { uid } };
  });
  const removed = { params: noteParams, response: { 200: changedNoteAnswer } };
  app.delete("/customers/:id/notes/:uid", { config, schema: { hide: true, ...removed } }, async (request) => {
    const { role, uid: staffUid } = request.staff;
    const by = { staffUid, mayRemoveAll: can(role, "customers.manage") };
    const { id, uid } = request.params;
    await removeNote(deps, id, uid, by);
    return { data: { uid } };
  });
}
