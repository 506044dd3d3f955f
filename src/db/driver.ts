import type { Socket } from "node:net";
import type pg from "pg";
import { arrayTypes, type ElementType, encodeParam, type Param } from "./encode-param.ts";

interface Statement {
  readonly name: string;
  readonly arrayTypes: readonly (ElementType | undefined)[];
}

const statements = new Map<string, Statement>();

function statementOf(text: string): Statement {
  let statement = statements.get(text);
  if (statement === undefined) {
    statement = { name: `s${statements.size}`, arrayTypes: arrayTypes(text) };
    statements.set(text, statement);
  }
  return statement;
}

/** Returns a statement for the driver, with encoded parameters. A named statement is planned once per connection. */
export function prepare(text: string, params: readonly Param[], isNamed: boolean): pg.QueryConfig {
  const statement = statementOf(text);
  const values = params.map((param, i) => encodeParam(param, statement.arrayTypes[i]));
  return isNamed ? { name: statement.name, text, values } : { text, values };
}

/**
 * Buffers what is sent until the end of this turn of the event loop, and sends it in one piece: the statements of one round trip are then
 * one system call, and wake the database once.
 */
export function sendTogether(client: pg.PoolClient): void {
  const { connection } = client as pg.PoolClient & { connection: { stream: Socket } }; // cast: the driver's own, which its types do not tell
  connection.stream.cork();
  process.nextTick(() => connection.stream.uncork());
}
