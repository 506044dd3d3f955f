import { compactVerify, errors } from "jose";
import type { Deps } from "../deps.ts";
import type { AuthenticateCustomer, AuthenticatedCustomer } from "../http/access/customer-access.ts";
import { Problem } from "../problems.ts";
import type { CustomerScope } from "../wire/access.ts";
import { createSnapshots, REFRESH_MS, STALE_MS } from "./create-snapshots.ts";
import { customerUidOf, kidOfToken, readClaims, tokenOf } from "./customer-token.ts";
import { SecretBoxError } from "./secret-box.ts";

export interface CustomerAuthenticator {
  readonly authenticate: AuthenticateCustomer;
  /** Whether pages of an origin may send requests. */
  isAllowedOrigin(origin: string): Promise<boolean>;
  /** Writes `last_used_at` of every storefront key that was used since the last call, in one statement. */
  flushLastUsed(): Promise<void>;
}

interface KnownKey {
  readonly uid: string;
  readonly name: string;
  readonly scopes: readonly CustomerScope[];
  readonly secret: Uint8Array;
}

interface Known {
  readonly keys: ReadonlyMap<string, KnownKey>;
  readonly origins: ReadonlySet<string>;
}

const NO_TOKEN = "expected the header authorization: Bearer <token of a customer>, signed with a storefront key";

/**
 * Verifies the tokens that a store's server signs for one customer (docs/widget.md). Keys and origins are cached like credentials. The times of a
 * token are compared with the machine's clock, never the sandbox's, because another machine wrote them.
 */
export function createCustomerAuthenticator(
  deps: Pick<Deps, "db" | "clock" | "log" | "secretBox">,
): CustomerAuthenticator {
  const snapshots = createSnapshots<Known>(deps, {
    read: () => readKnown(deps),
    empty: { keys: new Map(), origins: new Set() },
    what: "storefront keys",
  });
  const used = new Set<string>();

  /** Returns the cached keys and origins; if `isFound` is false they are read again, because the requested one may be new. */
  async function known(isFound: (known: Known) => boolean): Promise<Known> {
    const nowMs = performance.now();
    const { readAtMs, value } = snapshots.current();
    if (nowMs - readAtMs > STALE_MS) return (await snapshots.since(nowMs)).value;
    if (nowMs - readAtMs > REFRESH_MS) snapshots.refresh();
    return isFound(value) ? value : (await snapshots.since(nowMs)).value;
  }

  async function authenticate(header: string | undefined): Promise<AuthenticatedCustomer | Problem> {
    const token = header === undefined ? null : tokenOf(header);
    const kid = token === null ? null : kidOfToken(token);
    if (token === null || kid === null) return unauthorized(NO_TOKEN);
    const key = (await known(({ keys }) => keys.has(kid))).keys.get(kid);
    const payload = key === undefined ? null : await verifiedPayload(token, key.secret);
    if (key === undefined || payload === null)
      return unauthorized("the token is not signed with a storefront key that is known here and not revoked");
    const claims = readClaims(payload, { nowS: Math.floor(Date.now() / 1_000), keyScopes: key.scopes });
    if ("refusal" in claims) return new Problem(claims.refusal, { faults: [{ detail: claims.detail }] });
    used.add(key.uid);
    const { customerId, scopes } = claims;
    return { customerId, scopes, customerUid: customerUidOf(customerId), keyName: key.name, kid };
  }

  async function flushLastUsed(): Promise<void> {
    if (used.size === 0) return;
    const uids = [...used];
    used.clear();
    await deps.db.execute(
      `update storefront_key
       set last_used_at = $2
       where uid = any($1::uuid[]) and (last_used_at is null or last_used_at < $2)`,
      [uids, deps.clock.now()],
    );
  }

  return {
    authenticate,
    isAllowedOrigin: async (origin) => (await known(({ origins }) => origins.has(origin))).origins.has(origin),
    flushLastUsed,
  };
}

function unauthorized(detail: string): Problem {
  return new Problem("unauthorized", { faults: [{ detail }] });
}

/** Returns null if the signature does not match. Web Crypto compares in constant time. */
async function verifiedPayload(token: string, secret: Uint8Array): Promise<Uint8Array | null> {
  try {
    return (await compactVerify(token, secret, { algorithms: ["HS256"] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

async function readKnown(deps: Pick<Deps, "db" | "log" | "secretBox">): Promise<Known> {
  const [rows, origins] = await Promise.all([
    deps.db.query<{ uid: string; name: string; kid: string; scopes: CustomerScope[]; sealed: Buffer }>(
      `select uid, name, kid, scopes, secret_sealed as sealed
       from storefront_key
       where revoked_at is null`,
    ),
    deps.db.query<{ origin: string }>("select origin from storefront_origin"),
  ]);
  const keys = new Map<string, KnownKey>();
  for (const { kid, sealed, ...row } of rows) {
    const secret = opened(deps, kid, sealed);
    if (secret !== null) keys.set(kid, { ...row, secret });
  }
  return { keys, origins: new Set(origins.map(({ origin }) => origin)) };
}

/** Returns null for a key that the secret key does not decrypt; the others still work. */
function opened(deps: Pick<Deps, "log" | "secretBox">, kid: string, sealed: Buffer): Uint8Array | null {
  try {
    return new TextEncoder().encode(deps.secretBox.open(sealed));
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    deps.log.warn({ kid }, "the secret of a storefront key cannot be decrypted: create another key");
    return null;
  }
}
