import { argon2Sync } from "node:crypto";
import { insertStaff } from "../../src/staff/insert-staff.ts";
import { ARGON2, formatPasswordHash, passwordBytes } from "../../src/staff/passwords/password-hash.ts";
import type { Role } from "../../src/wire/access.ts";
import { type Answer, createClient } from "./client.ts";
import type { TestService } from "./service.ts";

/** A signed-in person, who calls the service like the dashboard. Paths are relative to `/admin/api`. */
export interface AdminClient {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  /** `name=value` of the session. */
  readonly cookie: string;
  /** The value of the session's cookie, for a browser's context. */
  readonly sessionToken: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
}

export const STAFF_PASSWORD = "correct horse battery staple";
export const CSRF = { "x-pointkeeper-request": "dashboard" };

/**
 * A stored hash of STAFF_PASSWORD with the lowest cost that Argon2 allows: the service reads the cost from the hash, so each sign-in and confirmation
 * of a test takes the real path and is fast. People who are created through the service have hashes with the real cost.
 */
const QUICK_HASH = quickHash();

let made = 0;

/** Ends the confirmation of every session. It ends by the database's clock, which a test cannot advance. */
export async function endConfirmations({ owner }: Pick<TestService, "owner">): Promise<void> {
  await owner.execute("update staff_session set confirmed_at = clock_timestamp() - interval '5 minutes'");
}

/** Creates a person with the role, after an owner if the store has none yet, and signs them in. */
export async function signIn(service: Pick<TestService, "deps" | "url">, role: Role): Promise<AdminClient> {
  const { deps, url } = service;
  const [owner] = await deps.db.query("select uid from staff where role = 'owner'");
  const person = (of: Role) => {
    made++;
    return { email: `${of}${made}@store.example`, name: `${of} ${made}`, role: of };
  };
  const password = { text: STAFF_PASSWORD, hash: QUICK_HASH, isMade: false };
  const make = (wish: ReturnType<typeof person>) => deps.db.tx((tx) => insertStaff(tx, deps, { ...wish, password }));
  if (owner === undefined && role !== "owner") await make(person("owner"));
  const wish = person(role);
  const uid = await make(wish);
  return signInAs(url, { uid, email: wish.email, password: STAFF_PASSWORD });
}

/** Signs in an existing person. */
export async function signInAs(
  url: string,
  { uid, email, password }: { uid: string; email: string; password: string },
): Promise<AdminClient> {
  const cookie = await cookieOf(url, { email, password });
  const sessionToken = cookie.slice(cookie.indexOf("=") + 1);
  return { uid, email, password, cookie, sessionToken, ...adminClient(url, cookie, password) };
}

/** The token in the link of an invitation or reset. */
export function tokenOfLink(link: string): string {
  return new URL(link).hash.slice(1);
}

/** Chooses a password with a link, like the invited person, which signs them in. */
export async function acceptLink(
  url: string,
  { uid, link }: { uid: string; link: string },
  email: string,
): Promise<AdminClient> {
  const choice = { token: tokenOfLink(link), password: STAFF_PASSWORD };
  const answer = await createClient(url, null).post("/admin/api/invitation", choice, CSRF);
  if (answer.status !== 200) throw new Error(`the link was refused: ${answer.text}`);
  return signInAs(url, { uid, email, password: STAFF_PASSWORD });
}

/** The cookie of a new session; fails if the sign-in is refused. */
export async function cookieOf(
  url: string,
  given: { email: string; password: string; code?: string },
): Promise<string> {
  const answer = await createClient(url, null).post("/admin/api/session", given, CSRF);
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0];
  if (answer.status !== 200 || cookie === undefined) throw new Error(`sign-in was refused: ${answer.text}`);
  return cookie;
}

/**
 * Sends the session's cookie and the dashboard's header with each request; without a cookie nobody is signed in. With a password it confirms itself
 * if the service requires it, and sends the request again, like the dashboard.
 */
export function adminClient(
  url: string,
  cookie: string | null,
  password?: string,
): Pick<AdminClient, "get" | "post" | "put" | "delete"> {
  const client = createClient(`${url}/admin/api`, null);
  const headers = { ...CSRF, ...(cookie === null ? {} : { cookie }) };
  const confirmed = async (send: () => Promise<Answer>) => {
    const answer = await send();
    const isAsked = answer.status === 403 && answer.body.errors?.[0]?.title === "Confirm that it is you";
    if (password === undefined || !isAsked) return answer;
    const confirmation = await client.post("/session/confirm", { password }, headers);
    if (confirmation.status !== 200) throw new Error(`the session was not confirmed: ${confirmation.text}`);
    return send();
  };
  return {
    get: (path) => client.get(path, headers),
    post: (path, body) => confirmed(() => client.post(path, body, headers)),
    put: (path, body) => confirmed(() => client.put(path, body, headers)),
    delete: (path, body) => confirmed(() => client.delete(path, body, headers)),
  };
}

function quickHash(): string {
  const work = { memory: 8, passes: 1, parallelism: 1 };
  const salt = Buffer.alloc(16, "salt");
  const tag = argon2Sync("argon2id", {
    ...work,
    message: passwordBytes(STAFF_PASSWORD),
    nonce: salt,
    tagLength: ARGON2.tagLength,
  });
  return formatPasswordHash({ ...work, salt, tag });
}
