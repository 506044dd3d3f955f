import { type Connection, sessionConfig } from "../db/connection.ts";
import { DISTRIBUTED_GRANTS, IS_DISTRIBUTED, SERVICE_GRANTS } from "../db/roles/service-grants.ts";
import { withClient } from "../db/with-client.ts";

const EXCESS = `select d.name
from unnest($1::text[], $2::text[]) as d (name, privileges)
where to_regclass(quote_ident(d.name)) is not null
  and has_table_privilege(quote_ident(d.name), d.privileges)
order by d.name`;

const CHANGES = ["update", "delete", "truncate"];

/** Returns the tables in which the connection's role could change the ledger's history: the service does not need these privileges. */
export async function readExcess(connection: Connection): Promise<string[]> {
  return withClient(sessionConfig(connection), async (client) => {
    const store = await client.query<{ isDistributed: boolean }>(`select ${IS_DISTRIBUTED} as "isDistributed"`);
    const grants = store.rows[0]?.isDistributed === true ? DISTRIBUTED_GRANTS : SERVICE_GRANTS;
    return (await client.query<{ name: string }>(EXCESS, excessOf(grants))).rows.map(({ name }) => name);
  });
}

/** Returns table names, and for each table the privileges that the role must not have. */
function excessOf(grants: Readonly<Record<string, string>>): [names: string[], privileges: string[]] {
  const missing = Object.entries(grants).map(([name, declared]) => ({
    name,
    privileges: CHANGES.filter((privilege) => !declared.includes(privilege)).join(", "),
  }));
  const asked = missing.filter(({ privileges }) => privileges !== "");
  return [asked.map(({ name }) => name), asked.map(({ privileges }) => privileges)];
}
