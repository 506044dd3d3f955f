import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVICE_FUNCTIONS, SERVICE_GRANTS, SERVICE_ROLE } from "../../../src/db/roles/service-grants.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const API = "/api/storefront";
const DENIED = "42501";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const id of ["ann", "bob"]) {
    await service.client.put(`${API}/customers/${id}`, { email: `${id}@example.com` });
    for (const value of [500, -120, 30]) await allot(id, value);
  }
});
afterAll(() => service.stop());

async function allot(customer: string, value: number): Promise<void> {
  const reason = { type: "reward", note: `a note of ${value}` };
  const body = { customer_id: customer, point_value: value, reason };
  expect((await service.client.post(`${API}/point_allotments`, body)).status).toBe(200);
}

/** The SQLSTATE with which the service's role is refused. */
async function refusal(statement: string): Promise<unknown> {
  const error: unknown = await service.deps.db.execute(statement).catch((thrown: unknown) => thrown);
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}

const ANN = "(select customer_uid from customer_alias where storefront_id = 'ann')";

describe("the service's role", () => {
  test.for([
    ["changes the points of an allotment", "update allotment set point_value = 900 where version = 1"],
    ["changes its type", "update allotment set type = 'adjustment'"],
    ["changes its reason", "update allotment set reason_type = 'other'"],
    ["changes when it was", "update allotment set allotted_at = allotted_at - interval '1 year'"],
    ["locks one as if to change it", "select from allotment for update"],
    ["deletes the newest allotment", `delete from allotment where version = 3 and customer_uid = ${ANN}`],
    ["erases a customer's ledger", `delete from allotment where customer_uid = ${ANN}`],
    ["empties the ledger", "truncate allotment"],
    ["changes what was drawn", "update draw set points = 1"],
    ["deletes what was drawn", "delete from draw"],
    ["rewrites a note", "update allotment_note set note = 'nothing'"],
    ["names another actor", "update allotment_note set actor = 'somebody else'"],
    ["deletes a note", "delete from allotment_note"],
    ["changes the audit log", "update audit_entry set actor_name = 'somebody else'"],
    ["shortens the audit log", "delete from audit_entry"],
    ["empties the audit log", "truncate audit_entry"],
    ["changes a version of the program", "update program_version set document = '{}'"],
    ["forgets a version of the program", "delete from program_version"],
    ["turns off the guard of the audit log", "alter table audit_entry disable trigger all"],
    ["turns off every trigger of the session", "set session_replication_role = replica"],
    ["removes a check", "alter table balance drop constraint balance_held_points_check"],
    ["removes a unique index", "drop index allotment_source"],
    ["replaces a function of a trigger", "alter function refuse_audit_change() rename to nothing"],
    ["makes a table", "create table allotment_copy as select * from allotment"],
    ["makes a function", "create function f() returns int language sql as 'select 1'"],
    ["says that a migration was applied", "insert into migration (number, name, sha256) values (9999, 'x', 'x')"],
    ["becomes the owner", "set role pointkeeper"],
    ["makes itself one of the owners", `grant pointkeeper to ${SERVICE_ROLE}`],
    ["reads a file of the server", "copy customer from '/etc/passwd'"],
    ["runs a program", "copy customer to program 'cat'"],
    ["reads what passwords there are", "select rolpassword from pg_authid"],
  ] as const)("is refused where it %s", async ([, statement]) => {
    expect(await refusal(statement)).toBe(DENIED);
  });

  test("is no superuser, makes no databases and no roles, and owns nothing", async () => {
    const [role] = await service.owner.query(
      `select rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, rolreplication,
        (select count(*)::integer from pg_class where relowner = r.oid) as owned,
        (select count(*)::integer from pg_auth_members where member = r.oid) as memberships
      from pg_roles r
      where rolname = $1`,
      [SERVICE_ROLE],
    );
    expect(role).toEqual({
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolbypassrls: false,
      rolreplication: false,
      owned: 0,
      memberships: 0,
    });
  });
});

describe("notes", () => {
  const notes = async () =>
    (await service.owner.query<{ note: string }>("select note from allotment_note order by 1")).map(({ note }) => note);
  const traces = () =>
    service.owner.query<{ after: object }>("select after from audit_entry where action = 'allotment_notes.erased'");
  const erase = (id: string) =>
    service.deps.db.query<{ n: bigint }>(
      `select erase_allotment_notes(array_agg(bucket), array_agg(customer_uid)) as n
      from customer_alias
      where storefront_id = $1`,
      [id],
    );

  test("of a customer who is there are not erased by anybody", async () => {
    const before = await notes();
    expect(before).toHaveLength(6);
    expect(await erase("bob")).toEqual([{ n: 0n }]);
    expect(await notes()).toEqual(before);
    expect(await traces()).toEqual([]);
  });

  test("of a deleted customer are erased, and the audit log says so", async () => {
    await allot("bob", -410);
    await service.owner.execute("update customer set deleted_at = $1 where storefront_id = 'bob'", [
      service.clock.now(),
    ]);
    expect(await erase("bob")).toEqual([{ n: 4n }]);
    expect(await notes()).toHaveLength(3);
    expect(await traces()).toEqual([{ after: { customers: [expect.any(String)], notes: 4 } }]);
  });

  test("are erased by a function that, as all with their owner's rights, has a path of its own and may not be called by others", async () => {
    const found = await service.owner.query(
      `select p.oid::regprocedure::text as name, p.proconfig as settings, p.proacl::text as acl
      from pg_proc p
      where p.prosecdef
        and p.pronamespace = current_schema::regnamespace
      order by 1`,
    );
    const settings = ["search_path=pg_catalog, public, pg_temp"];
    expect(found).toEqual([
      ...SERVICE_FUNCTIONS.map((name) => ({
        name: name.replaceAll(", ", ","),
        settings,
        acl: `{pointkeeper=X/pointkeeper,${SERVICE_ROLE}=X/pointkeeper}`,
      })),
      // of triggers: nobody calls them
      ...["note_growth_change()", "note_growth_changes()", "note_sale_change()"].map((name) => ({
        name,
        settings,
        acl: "{pointkeeper=X/pointkeeper}",
      })),
    ]);
  });
});

describe("a superuser, whom nobody refuses", () => {
  const verify = () => verifyLedger(service.deps.db, () => {}, ORDER_CHECKS);

  test.for([
    ["changes points", "update allotment set point_value = 900 where version = 1"],
    [
      "changes points and what the balance was after them",
      "update allotment set point_value = point_value + 1, balance_after = balance_after + 1",
    ],
    ["deletes the newest allotment", `delete from allotment where version = 3 and customer_uid = ${ANN}`],
    [
      "gives points without an allotment",
      `update balance set ledger_points = ledger_points + 5 where customer_uid = ${ANN}`,
    ],
    ["takes a draw away", "delete from draw"],
    ["empties the ledger", "truncate allotment"],
  ] as const)("is found by verify where it %s", async ([, statement]) => {
    const tables = ["allotment", "draw", "balance"];
    expect((await verify()).ok).toBe(true);
    for (const table of tables) await service.owner.execute(`create table kept_${table} as select * from ${table}`);
    await service.owner.execute(statement);
    expect((await verify()).ok).toBe(false);
    for (const table of tables) {
      await service.owner.execute(`delete from ${table}`);
      await service.owner.execute(`insert into ${table} select * from kept_${table}`);
      await service.owner.execute(`drop table kept_${table}`);
    }
    expect((await verify()).ok).toBe(true);
  });

  test("is stopped by the audit log's own guard, unless it takes that away", async () => {
    await expect(service.owner.execute("delete from audit_entry")).rejects.toThrow("append only");
    await expect(service.owner.execute("truncate audit_entry")).rejects.toThrow("append only");
  });
});

describe("the declared privileges", () => {
  test("name every table of the schema, and no other but what --distribute makes", async () => {
    const rows = await service.owner.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = current_schema order by 1",
    );
    const tables = [...rows.map(({ name }) => name), "counted_source"];
    expect(Object.keys(SERVICE_GRANTS).toSorted()).toEqual(tables.toSorted());
  });

  test("are those that the role has", async () => {
    const rows = await service.owner.query<{ name: string; granted: string }>(
      `select c.relname as name, string_agg(lower(a.privilege_type), ' ' order by lower(a.privilege_type)) as granted
      from pg_class c, aclexplode(c.relacl) a
      where a.grantee = $1::regrole
      group by 1
      order by 1`,
      [SERVICE_ROLE],
    );
    const sorted = (declared: string) => declared.split(", ").toSorted().join(" ");
    const declared = Object.entries(SERVICE_GRANTS).filter(([name]) => name !== "counted_source");
    const sequences = ["audit_entry_id_seq", "staff_movement_id_seq"].map((name) => [name, "select"] as const); // backups read them
    expect(Object.fromEntries(rows.map(({ name, granted }) => [name, granted]))).toEqual(
      Object.fromEntries([...declared.map(([name, privileges]) => [name, sorted(privileges)] as const), ...sequences]),
    );
  });
});
