import type { Queryable, Tx } from "../../db/pool.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";
import { parseStatement, statementText, type TagStatement } from "./tag-history.ts";

/** A statement and its customer. */
export interface OwnedStatement {
  readonly customer: CustomerRef;
  readonly statement: TagStatement;
}

const SELECT_STATEMENTS = `select s.customer_uid as "customerUid",
  s.at,
  s.statement
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join tag_statement s on s.bucket = k.bucket and s.customer_uid = k.customer_uid`;

const INSERT_STATEMENTS = `insert into tag_statement (bucket, customer_uid, at, statement)
select *
from unnest($1::smallint[], $2::uuid[], $3::timestamptz[], $4::text[])
on conflict (bucket, customer_uid, at, digest) do nothing`;

const DELETE_STATEMENTS = `delete from tag_statement s
using unnest($1::smallint[], $2::uuid[], $3::timestamptz[], $4::text[]) as k (bucket, customer_uid, at, statement)
where s.bucket = k.bucket
  and s.customer_uid = k.customer_uid
  and s.at = k.at
  and s.digest = md5(k.statement)`;

const FORGET_STATEMENTS = `delete from tag_statement s
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where s.bucket = k.bucket
  and s.customer_uid = k.customer_uid`;

/** Returns the stored statements about customers' tags, by uid; customers without any are absent. */
export async function selectStatements(
  queryable: Queryable,
  customers: readonly CustomerRef[],
): Promise<ReadonlyMap<string, readonly TagStatement[]>> {
  const rows = await queryable.query<{ customerUid: string; at: Temporal.Instant; statement: string }>(
    SELECT_STATEMENTS,
    refKeys(customers),
  );
  const found = new Map<string, TagStatement[]>();
  for (const { customerUid, at, statement } of rows) {
    const own = found.get(customerUid) ?? [];
    own.push(parseStatement(at, statement));
    found.set(customerUid, own);
  }
  return found;
}

/** Stores statements; existing ones stay. */
export async function insertStatements(tx: Tx, statements: readonly OwnedStatement[]): Promise<void> {
  if (statements.length > 0) await tx.execute(INSERT_STATEMENTS, paramsOf(statements));
}

export async function deleteStatements(tx: Tx, statements: readonly OwnedStatement[]): Promise<void> {
  if (statements.length > 0) await tx.execute(DELETE_STATEMENTS, paramsOf(statements));
}

/** Deletes all statements about customers' tags. */
export async function deleteStatementsOf(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  await tx.execute(FORGET_STATEMENTS, refKeys(customers));
}

function paramsOf(statements: readonly OwnedStatement[]) {
  return [
    ...refKeys(statements.map(({ customer }) => customer)),
    statements.map(({ statement }) => statement.at),
    statements.map(({ statement }) => statementText(statement)),
  ];
}
