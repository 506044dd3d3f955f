import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { nearestName } from "./environment.ts";

test("a misspelt setting is named with the one that it was meant to be", () => {
  const env = { POINTKEEPER_PROXYS: "1", POINTKEEPER_DATADIR: "/x", POINTKEEPER_SOMETHING_ELSE: "1", OTHER: "1" };
  expect(readConfig(env).unknownSettings).toEqual([
    { name: "POINTKEEPER_PROXYS", nearest: "POINTKEEPER_PROXIES" },
    { name: "POINTKEEPER_DATADIR", nearest: "POINTKEEPER_DATA_DIR" },
    { name: "POINTKEEPER_SOMETHING_ELSE", nearest: undefined },
  ]);
  expect(readConfig({ POINTKEEPER_PROXIES: "1" }).unknownSettings).toEqual([]);
});

test("the nearest name has the fewest letters to change", () => {
  expect(nearestName("PORT", ["HOST", "PORTS", "PROT"])).toBe("PORTS");
  expect(nearestName("PORT", [])).toBeUndefined();
});

test.for([
  [{ POINTKEEPER_POOLER: "transaction" }, "POINTKEEPER_POOLER needs DATABASE_URL"],
  [{ DATABASE_MIGRATION_URL: "postgresql://a@b/c" }, "DATABASE_MIGRATION_URL needs DATABASE_URL"],
  [{ POINTKEEPER_POOL_SIZE: "3" }, "POINTKEEPER_POOL_SIZE must be a number from 4 to 500"],
  [{ POINTKEEPER_PG_CACHE_MB: "15" }, "POINTKEEPER_PG_CACHE_MB must be a number from 16 to 1048576"],
  [{ POINTKEEPER_STATEMENT_SECONDS: "1h" }, "POINTKEEPER_STATEMENT_SECONDS must be a number of seconds"],
  [{ LOG_LEVEL: "verbose" }, "LOG_LEVEL must be one of debug, info"],
] as const)("%j is refused by name", ([env, text]) => {
  expect(() => readConfig(env)).toThrow(text);
});

test("a pooler is of a mode that it has, and in transaction mode knows no prepared statement unless told", () => {
  const of = (more: Record<string, string>) =>
    readConfig({ DATABASE_URL: "postgresql://a@b/c", POINTKEEPER_SECRET_KEY: "x".repeat(32), ...more });
  expect(() => of({ POINTKEEPER_POOLER: "statement" })).toThrow("must be session or transaction");
  expect(of({}).preparedStatements).toBe(true);
  expect(of({ POINTKEEPER_POOLER: "session" }).preparedStatements).toBe(true);
  expect(of({ POINTKEEPER_POOLER: "transaction" }).preparedStatements).toBe(false);
  expect(of({ POINTKEEPER_POOLER: "transaction", POINTKEEPER_PREPARED_STATEMENTS: "1" }).preparedStatements).toBe(true);
});

const FROM = { POINTKEEPER_MAIL_FROM: "The store <points@store.example>" };
const mailOf = (url: string, more: Record<string, string> = FROM) =>
  readConfig({ POINTKEEPER_SMTP_URL: url, ...more }).mail;

test("a mail server on another machine is spoken to by TLS", () => {
  expect(readConfig({}).mail).toBeNull();
  expect(mailOf("smtps://points:pass%20word%2F1@mail.example")).toEqual({
    host: "mail.example",
    port: 465,
    security: "tls",
    user: "points",
    password: "pass word/1",
    caFile: undefined,
    from: { name: "The store", address: "points@store.example" },
    replyTo: undefined,
  });
  expect(mailOf("smtp://mail.example")).toMatchObject({ port: 587, security: "starttls", user: undefined });
  expect(mailOf("smtp://[::1]:25")).toMatchObject({ host: "::1", port: 25, security: "none" });
  expect(mailOf("smtp://mail.example", { ...FROM, POINTKEEPER_SMTP_PLAINTEXT: "1" })).toMatchObject({
    security: "none",
  });
  expect(mailOf("smtp://localhost", { POINTKEEPER_MAIL_FROM: "points@store.example" })?.from.name).toBe("");
});

test.for([
  [{ POINTKEEPER_SMTP_URL: "https://user:hush@mail.example" }, "POINTKEEPER_SMTP_URL must be smtps://"],
  [{ POINTKEEPER_SMTP_URL: "smtps://user:hush%zz@mail.example", ...FROM }, "percent-encoded"],
  [{ POINTKEEPER_SMTP_URL: "smtps://user:hush@mail.example" }, "POINTKEEPER_MAIL_FROM must be set"],
  [
    { POINTKEEPER_SMTP_URL: "smtps://mail.example", POINTKEEPER_MAIL_FROM: "a@b.example, c@d.example" },
    "must be an e-mail",
  ],
] as const)("%j is no mail server, and its password is in no error", ([env, text]) => {
  expect(() => readConfig(env)).toThrow(text);
  expect(() => readConfig(env)).not.toThrow("hush");
});
