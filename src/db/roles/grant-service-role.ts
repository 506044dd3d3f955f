import type pg from "pg";
import type { Log } from "../../deps.ts";
import { MigrationError } from "../migration-files.ts";
import {
  DISTRIBUTED_GRANTS,
  ERASING_NOTES,
  type GrantedTable,
  grantStatements,
  IS_DISTRIBUTED,
  SERVICE_FUNCTIONS,
  SERVICE_GRANTS,
  SERVICE_ROLE,
} from "./service-grants.ts";

/** The role of the service's statements, if it is not the owner of the tables. */
export interface ServiceRole {
  readonly name: string;
  /** Whether it is created if the server lacks it: for the embedded server, whose owner is a superuser. */
  readonly isOurs: boolean;
}

interface Schema {
  readonly schema: string;
  readonly isUsable: boolean;
  /** Whether the migrating role may grant privileges on it. */
  readonly isOwners: boolean;
}

/** The role of the embedded server, whose socket only the service's own user can reach. */
export const EMBEDDED_ROLE: ServiceRole = { name: SERVICE_ROLE, isOurs: true };

const FIND_ROLE = `select quote_ident($1) as quoted,
  current_user = $1 as "isOwner",
  exists (select from pg_roles where rolname = $1) as "isThere"`;

const READ_GRANTED = `select c.relname as table,
  coalesce(array_agg(lower(a.privilege_type)) filter (where a.grantee = r.oid), '{}') as granted
from pg_class c
join pg_roles r on r.rolname = $1
left join lateral aclexplode(c.relacl) a on true
where c.relnamespace = current_schema::regnamespace
  and c.relkind in ('r', 'p')
group by c.relname
order by c.relname`;

const READ_SCHEMA = `select quote_ident(current_schema) as schema,
  has_schema_privilege($1, current_schema, 'usage') as "isUsable",
  pg_has_role(n.nspowner, 'usage') as "isOwners"
from pg_namespace n
where n.nspname = current_schema`;

const READ_CLOSED = `select name
from unnest($2::text[]) name
where to_regprocedure(name) is not null
  and not has_function_privilege($1, name, 'execute')`;

const READ_DISTRIBUTED = `select ${IS_DISTRIBUTED} as "isDistributed",
  exists (select from pg_proc where oid = to_regprocedure($1) and prosecdef) as "isByOwner"`;

/** A backup contains the state of each sequence. */
const READ_UNREADABLE = `select quote_ident(c.relname) as name
from pg_class c
where c.relnamespace = current_schema::regnamespace
  and case c.relkind when 'S' then not has_sequence_privilege($1, c.oid, 'select') else false end
order by c.relname`;

/**
 * Grants the service's role what `SERVICE_GRANTS` declares, and revokes what was granted beyond that; it only reads if nothing has to
 * change. Runs as the owner of the tables, on the node that migrates.
 */
export async function grantServiceRole(client: pg.Client, role: ServiceRole, log?: Log): Promise<void> {
  const { rows } = await client.query<{ quoted: string; isOwner: boolean; isThere: boolean }>(FIND_ROLE, [role.name]);
  const found = rows[0];
  if (found === undefined || found.isOwner) return;
  if (!found.isThere && role.isOurs) await createRole(client, found.quoted);
  const { rows: schemas } = await client.query<Schema>(READ_SCHEMA, [role.name]);
  const { rows: tables } = await client.query<GrantedTable>(READ_GRANTED, [role.name]);
  const { rows: closed } = await client.query<{ name: string }>(READ_CLOSED, [role.name, SERVICE_FUNCTIONS]);
  const { rows: stores } = await client.query<{ isDistributed: boolean; isByOwner: boolean }>(READ_DISTRIBUTED, [
    ERASING_NOTES,
  ]);
  const { isDistributed, isByOwner } = stores[0] ?? { isDistributed: false, isByOwner: true };
  const { rows: sequences } = await client.query<{ name: string }>(READ_UNREADABLE, [role.name]);
  const usage = schemas.filter(({ isUsable }) => !isUsable);
  const foreign = usage.find(({ isOwners }) => !isOwners);
  if (foreign !== undefined) {
    throw new MigrationError(
      `The service's role may not use the schema ${foreign.schema}, and the role of DATABASE_MIGRATION_URL may not allow it: as the owner of the schema run "grant usage on schema ${foreign.schema} to ${found.quoted}".`,
    );
  }
  const statements = [
    ...usage.map(({ schema }) => `grant usage on schema ${schema} to ${found.quoted}`),
    ...(isDistributed && isByOwner ? [`alter function ${ERASING_NOTES} security invoker`] : []),
    ...grantStatements(tables, found.quoted, isDistributed ? DISTRIBUTED_GRANTS : SERVICE_GRANTS),
    ...sequences.map(({ name }) => `grant select on sequence ${name} to ${found.quoted}`),
    ...closed.map(({ name }) => `grant execute on function ${name} to ${found.quoted}`),
  ];
  for (const statement of statements) await client.query(statement);
  if (statements.length > 0)
    log?.info({ role: role.name, statements: statements.length }, "the service's role was given its privileges");
}

/**
 * Creates the role. The service reports the errors of its statements itself: the server's log has none, because a message may contain
 * customer data.
 */
async function createRole(client: pg.Client, quoted: string): Promise<void> {
  await client.query(`create role ${quoted} login; alter role ${quoted} set log_min_messages = 'log'`);
}
