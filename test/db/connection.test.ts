import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checksCertificate, externalConnection } from "../../src/db/connection.ts";
import { openPool } from "../../src/db/pool.ts";
import { ConfigError } from "../../src/environment.ts";
import { exitCodeOf, failureLine } from "../../src/start/failure-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/tls");
const AUTHORITY = join(FIXTURES, "authority.pem");
/** A certificate that authorised nobody. */
const OTHER = join(FIXTURES, "server.pem");
/** The request of a client for TLS: 8 bytes. */
const TLS_REQUEST_BYTES = 8;

let database: TestDatabase;
let server: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  database = await createTestDatabase();
  const secure = { key: readFileSync(join(FIXTURES, "server.key")), cert: readFileSync(join(FIXTURES, "server.pem")) };
  const { host, port } = database.connection;
  // TLS before the tests' server, whose socket has no TLS: as PostgreSQL answers a client that asks for it
  server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {});
    client.once("readable", () => {
      client.read(TLS_REQUEST_BYTES);
      client.write("S");
      const inside = new TLSSocket(client, { isServer: true, ...secure });
      const upstream = connect(`${host}/.s.PGSQL.${port}`);
      for (const socket of [inside, upstream]) socket.on("error", () => {});
      inside.pipe(upstream).pipe(inside);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  await database.drop();
});

async function greet(query: string, host = "localhost"): Promise<unknown> {
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const { user, database: name } = database.connection;
  const connection = externalConnection(`postgresql://${user}@${host}:${port}/${name}?${query}`, "DATABASE_URL", {});
  const client = new pg.Client(connection);
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query("select 'hello' as word")).rows[0].word;
  } finally {
    await client.end().catch(() => {});
  }
}

test.for([
  ["", false],
  ["sslmode=disable&sslrootcert=a.pem", false],
  ["sslmode=prefer", false],
  ["sslmode=require", false],
  ["sslmode=no-verify", false],
  ["sslmode=require&sslrootcert=a.pem", true],
  ["sslmode=prefer&sslrootcert=a.pem", true],
  ["sslmode=verify-ca&sslrootcert=a.pem", true],
  ["sslmode=verify-full", true],
  ["sslrootcert=system", true],
] as const)("%j has a certificate checked: %j", ([query, isChecked]) => {
  expect(checksCertificate(`postgresql://store@db.example/store?${query}`)).toBe(isChecked);
});

test("a server that vanishes is noticed: probes are sent while an answer is awaited", () => {
  const probes = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
  expect(externalConnection("postgresql://a@b/c", "DATABASE_URL", {})).toMatchObject(probes);
});

describe("sslmode of a database's URL means what it means to other clients", () => {
  test.for([
    ["require believes any certificate", "sslmode=require"],
    ["require with an authority checks it", `sslmode=require&sslrootcert=${AUTHORITY}`],
    ["prefer believes any certificate", "sslmode=prefer"],
    ["verify-ca checks the authority", `sslmode=verify-ca&sslrootcert=${AUTHORITY}`],
    ["verify-full checks the name too", `sslmode=verify-full&sslrootcert=${AUTHORITY}`],
    ["no-verify, the driver's own, believes any", "sslmode=no-verify"],
  ] as const)("%s", async ([, query]) => {
    expect(await greet(query)).toBe("hello");
  });

  test.for([
    ["require with another authority", `sslmode=require&sslrootcert=${OTHER}`],
    ["verify-ca with another authority", `sslmode=verify-ca&sslrootcert=${OTHER}`],
    ["verify-full with none but the public ones", "sslmode=verify-full"],
    ["the system's authorities", "sslrootcert=system"],
  ] as const)("a server that %s knows nothing of is refused", async ([, query]) => {
    const error: unknown = await greet(query).catch((thrown: unknown) => thrown);
    expect(failureLine(error)).toMatch(/^The database cannot be used: .*certificate.*\.$/);
    expect(exitCodeOf(error)).toBe(3);
  });

  test("a host of another name is refused by verify-full alone", async () => {
    const { address } = server.address() as AddressInfo; // cast: it listens on a port
    const host = address.includes(":") ? `[${address}]` : address;
    expect(await greet(`sslmode=verify-ca&sslrootcert=${AUTHORITY}`, host)).toBe("hello");
    const error: unknown = await greet(`sslmode=verify-full&sslrootcert=${AUTHORITY}`, host).catch((thrown) => thrown);
    expect(failureLine(error)).toMatch(/^The database cannot be used: .*altnames/);
  });
});

describe("a URL that cannot be used is refused in words", () => {
  const read = (url: string) => () => externalConnection(url, "DATABASE_URL", {});
  test.for([
    ["bogus", "DATABASE_URL must be a URL like postgresql://"],
    ["mysql://a@b/c", "DATABASE_URL must be a URL like postgresql://"],
    ["postgresql://a@b/c?sslmode=yes", "sslmode in DATABASE_URL must be one of disable, prefer, require"],
    ["postgresql://a@b/c?sslmode=verify-ca", "requires specifying a CA with sslrootcert"],
    ["postgresql://a@b/c?sslmode=require&sslrootcert=/nowhere.pem", "DATABASE_URL cannot be used: ENOENT"],
  ] as const)("%s", ([url, text]) => {
    expect(read(url)).toThrow(ConfigError);
    expect(read(url)).toThrow(text);
  });
});

describe("what every session of the service has", () => {
  const show = async (connection: Parameters<typeof openPool>[0]["connection"]) => {
    const db = openPool({ connection, connectionsMax: 1 });
    const [row] =
      await db.query(`select current_setting('timezone') as timezone, current_setting('lock_timeout') as lock,
      current_setting('statement_timeout') as statement, current_setting('search_path') as path,
      current_setting('application_name') as application`);
    await db.close();
    return row;
  };
  const url = (query: string) => {
    const { user, host, port, database: name } = database.connection;
    return `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}${query}`;
  };
  const of = { statementTimeoutMs: 15_000, fallback_application_name: "pointkeeper api" };

  test("is set whatever options and name the URL has, which stay", async () => {
    const plain = {
      timezone: "UTC",
      lock: "10s",
      statement: "15s",
      path: '"$user", public',
      application: "pointkeeper api",
    };
    expect(await show(externalConnection(url(""), "DATABASE_URL", of))).toEqual(plain);
    const own = url(`&options=${encodeURIComponent("-c search_path=loyalty")}&application_name=shop`);
    expect(await show(externalConnection(own, "DATABASE_URL", of))).toEqual({
      ...plain,
      path: "loyalty",
      application: "shop",
    });
  });

  test("a statement that runs longer than its limit is ended, a stream is not", async () => {
    const connection = externalConnection(url(""), "DATABASE_URL", { statementTimeoutMs: 300 });
    const db = openPool({ connection, connectionsMax: 1 });
    await expect(db.query("select pg_sleep(5)")).rejects.toMatchObject({ code: "57014" });
    const rows = [];
    for await (const piece of db.stream("select n, pg_sleep(0.2) from generate_series(1, 4) n", []))
      rows.push(...piece);
    expect(rows).toHaveLength(4);
    await db.close();
  });
});
