import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { redactCustomer } from "../../src/intake/redact-customer.ts";
import { streamPerson } from "../../src/privacy/stream-person.ts";
import { NOTES_MAX } from "../../src/wire/limits.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
let support: AdminClient;
let manager: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  viewer = await signIn(service, "viewer");
  support = await signIn(service, "support");
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

const make = async () => (await makeCustomer(service.deps)).storefrontId;
const note = (who: AdminClient, id: string, text: string, request_uid: string = randomUUID()) =>
  who.post(`/customers/${id}/notes`, { request_uid, text });
const listed = async (who: AdminClient, id: string) => (await who.get(`/customers/${id}/notes`)).body.data;
const texts = async (id: string) => (await listed(viewer, id)).map(({ text }: { text: string }) => text);

test("support notes, everybody reads, and the head has the count", async () => {
  const id = await make();
  expect((await note(viewer, id, "no")).status).toBe(403);
  expect((await note(support, id, "Called about\nthe parcel")).status).toBe(200);
  service.clock.advance({ seconds: 1 });
  expect((await note(manager, id, "Sent again")).status).toBe(200);
  const rows = await listed(support, id);
  expect(rows).toMatchObject([
    { text: "Sent again", can_remove: false },
    { text: "Called about\nthe parcel", can_remove: true },
  ]);
  expect(rows[0].written_at > rows[1].written_at).toBe(true);
  expect(rows.map(({ written_name: name }: { written_name: string }) => name.split(" ")[0])).toEqual([
    "manager",
    "support",
  ]);
  expect((await viewer.get(`/customers/${id}`)).body.data.notes).toBe(2);
});

test("a note sent twice is kept once; one that is empty or too long is refused", async () => {
  const id = await make();
  const uid = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => note(support, id, "Once", uid)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const text of ["", " \n ", "x".repeat(2_001)]) {
    const { status, body } = await note(support, id, text);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain("/text");
  }
  expect((await note(support, id, "あ".repeat(2_000))).status).toBe(200);
  expect(await texts(id)).toHaveLength(2);
  expect((await note(support, "nobody", "x")).status).toBe(404);
});

test("one's own note is removed, another's by a manager alone, and the audit log has no text", async () => {
  const id = await make();
  const [own, other] = [randomUUID(), randomUUID()];
  await note(support, id, "secret words", own);
  await note(manager, id, "theirs", other);
  expect((await support.delete(`/customers/${id}/notes/${other}`)).status).toBe(403);
  expect((await viewer.delete(`/customers/${id}/notes/${own}`)).status).toBe(403);
  expect((await support.delete(`/customers/${id}/notes/${own}`)).status).toBe(200);
  expect((await support.delete(`/customers/${id}/notes/${own}`)).status).toBe(200);
  expect(await texts(id)).toEqual(["theirs"]);
  expect((await manager.delete(`/customers/${id}/notes/${other}`)).status).toBe(200);
  const entries = await service.deps.db.query<{ action: string; text: string }>(
    `select action, coalesce(before::text, '') || coalesce(after::text, '') as text
     from audit_entry where subject_id = $1 order by at, id`,
    [id],
  );
  const [add, remove] = ["customer.note_added", "customer.note_removed"];
  expect(entries.map(({ action }) => action)).toEqual([add, add, remove, remove]);
  expect(entries.every(({ text }) => !text.includes("secret") && text.includes("-"))).toBe(true);
});

test(`a customer has at most ${NOTES_MAX} notes, however many come at once`, async () => {
  const id = await make();
  await service.database.owner.query(
    `insert into customer_note (bucket, customer_uid, uid, body, written_by, written_name, written_at)
     select c.bucket, c.customer_uid, gen_random_uuid(), 'n' || n, gen_random_uuid(), 'x', now()
     from customer c cross join generate_series(1, $2::int) n where c.storefront_id = $1`,
    [id, NOTES_MAX - 1],
  );
  const answers = await Promise.all(["a", "b", "c"].map((text) => note(support, id, text)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  const first = (await viewer.get(`/customers/${id}/notes`)).body;
  expect(first.data).toHaveLength(50);
  const seen = new Set(first.data.map(({ uid }: { uid: string }) => uid));
  for (let { next } = first; next !== null; ) {
    const { body } = await viewer.get(`/customers/${id}/notes?after=${encodeURIComponent(next)}`);
    for (const { uid } of body.data) seen.add(uid);
    next = body.next;
  }
  expect(seen.size).toBe(NOTES_MAX);
});

test("notes go with a merge, are handed out with the person, and are gone when that is deleted or erased", async () => {
  const [a, b, c] = [await make(), await make(), await make()];
  await note(support, a, "of a");
  await note(support, b, "of b");
  await note(support, c, "of c");
  await mergeInto(service.deps, a, b);
  expect((await texts(b)).sort()).toEqual(["of a", "of b"]);
  expect((await texts(a)).sort()).toEqual(["of a", "of b"]); // the old id leads to the survivor
  const person = await handedOut(b);
  expect(person).toContain("of a");
  expect(person).toContain("of b");
  await service.deps.db.tx((tx) => redactCustomer(tx, service.deps, { customerId: b, appReference: "test" }));
  await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, c, "test"));
  const left = await service.deps.db.query<{ body: string }>("select body from customer_note where body like 'of %'");
  expect(left).toEqual([]);
  expect((await note(support, c, "late")).status).toBe(404);
});

async function handedOut(id: string): Promise<string> {
  let text = "";
  for await (const piece of await streamPerson(service.deps, id)) text += piece;
  return text;
}
