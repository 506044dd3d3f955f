import type { Deps } from "../deps.ts";
import type { Authenticate, Credential } from "../http/access/credential.ts";
import type { Scope } from "../wire/access.ts";
import { createSnapshots, REFRESH_MS, STALE_MS } from "./create-snapshots.ts";
import { findCredential, type KnownCredential, parseAuthorization } from "./credentials.ts";

export interface Authenticator {
  readonly authenticate: Authenticate;
  /** Writes `last_used_at` of every credential that was used since the last call, in one statement. */
  flushLastUsed(): Promise<void>;
}

const REMEMBERED_MAX = 1_000;
/** A longer header is checked each time: a sender may fill it with spaces, and 1,000 of 128 KB would take 128 MB. */
const REMEMBERED_LENGTH_MAX = 1_000;

interface Known {
  readonly known: readonly KnownCredential[];
  /** Headers that have been checked against `known`. */
  readonly remembered: Map<string, Credential>;
}

/**
 * Authenticates without a query per request: all credentials are cached in the process for one to two seconds, by the machine's clock. However many
 * wrong headers are tried, they cause at most ten queries a second.
 */
export function createAuthenticator(deps: Pick<Deps, "db" | "clock" | "log">): Authenticator {
  const snapshots = createSnapshots<Known>(deps, {
    read: async () => ({ known: await readKnown(deps), remembered: new Map() }),
    empty: { known: [], remembered: new Map() },
    what: "credentials",
  });
  const used = new Set<string>();

  function check(from: Known, header: string): Credential | null {
    const offer = parseAuthorization(header);
    const found = offer === null ? null : findCredential(from.known, offer);
    if (found === null) return null;
    used.add(found.uid);
    if (header.length > REMEMBERED_LENGTH_MAX) return found;
    if (from.remembered.size >= REMEMBERED_MAX) from.remembered.clear();
    from.remembered.set(header, found);
    return found;
  }

  async function checkFresh(header: string, sinceMs: number): Promise<Credential | null> {
    if (parseAuthorization(header) === null) return null;
    return check((await snapshots.since(sinceMs)).value, header);
  }

  function authenticate(header: string): Credential | null | Promise<Credential | null> {
    const nowMs = performance.now();
    const snapshot = snapshots.current();
    const ageMs = nowMs - snapshot.readAtMs;
    if (ageMs > STALE_MS) return checkFresh(header, nowMs);
    if (ageMs > REFRESH_MS) snapshots.refresh();
    const remembered = snapshot.value.remembered.get(header);
    if (remembered === undefined) return check(snapshot.value, header) ?? checkFresh(header, nowMs);
    used.add(remembered.uid);
    return remembered;
  }

  async function flushLastUsed(): Promise<void> {
    if (used.size === 0) return;
    const uids = [...used];
    used.clear();
    await deps.db.execute(
      `update credential
       set last_used_at = $2
       where uid = any($1::uuid[]) and (last_used_at is null or last_used_at < $2)`,
      [uids, deps.clock.now()],
    );
  }

  return { authenticate, flushLastUsed };
}

interface CredentialRow {
  uid: string;
  name: string;
  key: string;
  scopes: Scope[];
  secret: Buffer;
  nextSecret: Buffer | null;
}

async function readKnown(deps: Pick<Deps, "db">): Promise<KnownCredential[]> {
  const rows = await deps.db.query<CredentialRow>(
    `select c.uid, c.name, c.key, c.scopes, c.secret_sha256 as secret, k.secret_sha256 as "nextSecret"
     from credential c
     left join api_secret_key k on c.is_store and k.state = 'next'
     where c.revoked_at is null`,
  );
  return rows.map(({ secret, nextSecret, ...credential }) => ({
    ...credential,
    secretHashes: nextSecret === null ? [secret] : [secret, nextSecret],
  }));
}
