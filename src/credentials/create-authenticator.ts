import type { Deps } from "../deps.ts";
import type { Authenticate, Credential } from "../http/credential.ts";
import type { Scope } from "../wire/access.ts";
import { findCredential, type KnownCredential, parseAuthorization } from "./credentials.ts";

export interface Authenticator {
  readonly authenticate: Authenticate;
  /** Writes `last_used_at` of every credential that was used since the last call, in one statement. */
  flushLastUsed(): Promise<void>;
}

/** Known credentials are read again this long after the last reading, without a request waiting for it. */
const REFRESH_MS = 1_000;
/** Nothing older than this opens a door: within it every node sees that a credential was revoked (program.md 2). */
const STALE_MS = 1_900;
/** A header of an unknown credential waits until credentials are read again, and there is at least this time between two reads. */
const READ_GAP_MS = 100;
const REMEMBERED_MAX = 1_000;

interface Snapshot {
  readonly readAtMs: number;
  readonly known: readonly KnownCredential[];
  /** Headers that have been checked against `known`. */
  readonly remembered: Map<string, Credential>;
}

/**
 * Authentication without a query on the hot path: all credentials are kept in the process for a second or two. Ages are of the
 * machine's clock. A wrong header costs at most ten queries a second, however many are tried.
 */
export function createAuthenticator(deps: Pick<Deps, "db" | "clock" | "log">): Authenticator {
  const snapshots = createSnapshots(deps);
  const used = new Set<string>();

  function check(from: Snapshot, header: string): Credential | null {
    const offer = parseAuthorization(header);
    const found = offer === null ? null : findCredential(from.known, offer);
    if (found === null) return null;
    if (from.remembered.size >= REMEMBERED_MAX) from.remembered.clear();
    from.remembered.set(header, found);
    used.add(found.uid);
    return found;
  }

  async function checkFresh(header: string, sinceMs: number): Promise<Credential | null> {
    if (parseAuthorization(header) === null) return null;
    return check(await snapshots.since(sinceMs), header);
  }

  function authenticate(header: string): Credential | null | Promise<Credential | null> {
    const nowMs = performance.now();
    const snapshot = snapshots.current();
    const ageMs = nowMs - snapshot.readAtMs;
    if (ageMs > STALE_MS) return checkFresh(header, nowMs);
    if (ageMs > REFRESH_MS) snapshots.refresh();
    const remembered = snapshot.remembered.get(header);
    if (remembered === undefined) return check(snapshot, header) ?? checkFresh(header, nowMs);
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

interface Snapshots {
  current(): Snapshot;
  /** Reads in the background, unless a reading runs. */
  refresh(): void;
  /** One whose reading began after a time: an earlier one may miss a credential made meanwhile. */
  since(sinceMs: number): Promise<Snapshot>;
}

function createSnapshots(deps: Pick<Deps, "db" | "log">): Snapshots {
  let snapshot: Snapshot = { readAtMs: Number.NEGATIVE_INFINITY, known: [], remembered: new Map() };
  let reading: Promise<Snapshot> | undefined;

  async function read(): Promise<Snapshot> {
    const gapMs = snapshot.readAtMs + READ_GAP_MS - performance.now();
    if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
    const readAtMs = performance.now();
    snapshot = { readAtMs, known: await readKnown(deps), remembered: new Map() };
    return snapshot;
  }

  /** All that ask while a reading runs share it. */
  function shared(): Promise<Snapshot> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return {
    current: () => snapshot,
    refresh() {
      if (reading !== undefined) return;
      shared().catch((error: unknown) => deps.log.warn({ error }, "credentials could not be read"));
    },
    async since(sinceMs) {
      let fresh = await shared();
      while (fresh.readAtMs < sinceMs) fresh = await shared();
      return fresh;
    },
  };
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
