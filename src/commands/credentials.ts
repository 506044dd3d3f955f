import { UsageError } from "../config.ts";
import { confirmApiSecretKey } from "../credentials/confirm-api-secret-key.ts";
import { createCredential } from "../credentials/create-credential.ts";
import { parseScopes } from "../credentials/credentials.ts";
import { type ListedCredential, listCredentials } from "../credentials/list-credentials.ts";
import { revokeCredential } from "../credentials/revoke-credential.ts";
import { rotateApiSecretKey } from "../credentials/rotate-api-secret-key.ts";
import { setCredentialScopes } from "../credentials/set-credential-scopes.ts";
import type { Deps } from "../deps.ts";
import { SCOPES } from "../wire/access.ts";
import type { Given } from "./command-line.ts";
import { jsonTime, print, type Shown, tableLines } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper credentials ...` (program.md 2): see `pointkeeper help`. */
export async function credentials(given: Given): Promise<number> {
  const {
    action,
    operands: [subject = "", list],
    options,
  } = given;
  const work = workOf(action, { subject, list, name: options.get("name") ?? "", scopes: options.get("scopes") });
  print(given, await withDeps(work));
  return 0;
}

interface Arguments {
  readonly subject: string;
  readonly list: string | undefined;
  readonly name: string;
  readonly scopes: string | undefined;
}

/** Returns the work of an action, which returns its output. Arguments are checked before a database is opened. */
function workOf(action: string, given: Arguments): (deps: Deps) => Promise<Shown> {
  switch (action) {
    case "list":
      return async (deps) => listed(await listCredentials(deps));
    case "create":
      return create(given);
    case "revoke": {
      const { subject } = given;
      return async (deps) => {
        await revokeCredential(deps, subject);
        return { json: { revoked: subject }, text: [`${subject} is revoked.`] };
      };
    }
    case "set-scopes":
      return setScopes(given);
    case "rotate-store-key":
      return async (deps) => {
        const { secret } = await rotateApiSecretKey(deps);
        return { json: { secret }, text: [`secret  ${secret}`, CONFIRM_NEXT] };
      };
    case "confirm-store-key":
      return async (deps) => {
        await confirmApiSecretKey(deps);
        return {
          json: { confirmed: true },
          text: ["The new API secret key signs from now on; the old one no longer works."],
        };
      };
    default:
      throw new Error(`no work for ${action}`);
  }
}

const CONFIRM_NEXT =
  "It works for the API from now on. Once receivers know it, run: pointkeeper credentials confirm-store-key";

function create({ name, scopes: scopeList }: Arguments): (deps: Deps) => Promise<Shown> {
  const scopes = parseScopes(scopeList);
  if (scopes === null) throw new UsageError(`Scopes are ${SCOPES.join(", ")}, separated by commas.`);
  return async (deps) => {
    const made = await createCredential(deps, { name, scopes });
    return {
      json: { name, key: made.key, secret: made.secret, scopes },
      text: [`key     ${made.key}`, `secret  ${made.secret}`, "The secret is shown only once."],
    };
  };
}

/** `none` means no scope: the store's own credential without access to the API. */
function setScopes({ subject, list }: Arguments): (deps: Deps) => Promise<Shown> {
  const scopes = list === "none" ? [] : parseScopes(list);
  if (scopes === null) throw new UsageError(`Scopes are ${SCOPES.join(", ")}, separated by commas, or none.`);
  return async (deps) => {
    const set = await setCredentialScopes(deps, subject, scopes);
    const signs = set.isStore && set.scopes.length === 0 ? " Its secret still signs deliveries." : "";
    return {
      json: { name: set.name, scopes: set.scopes },
      text: [`${set.name}: ${set.scopes.join(", ") || "none"}.${signs}`],
    };
  };
}

function listed(credentials: readonly ListedCredential[]): Shown {
  const rows = credentials.map((credential) => [
    credential.name,
    credential.key,
    credential.scopes.join(",") || "none",
    stateOf(credential),
    credential.lastUsedAt?.toString({ smallestUnit: "minute" }) ?? "never used",
  ]);
  return {
    json: {
      credentials: credentials.map((credential) => ({
        name: credential.name,
        key: credential.key,
        scopes: credential.scopes,
        is_store: credential.isStore,
        created_at: jsonTime(credential.createdAt),
        last_used_at: jsonTime(credential.lastUsedAt),
        revoked_at: jsonTime(credential.revokedAt),
      })),
    },
    text: tableLines(["NAME", "KEY", "SCOPES", "STATE", "LAST USED"], rows, { header: "always" }),
  };
}

function stateOf({ revokedAt, isStore }: ListedCredential): string {
  if (revokedAt !== null) return "revoked";
  return isStore ? "the store's own" : "active";
}
