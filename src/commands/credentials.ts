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
import { withDeps } from "./with-deps.ts";

/** `pointkeeper credentials ...` (program.md 2): see `pointkeeper help`. */
export async function credentials({ action, operands: [subject = "", list], options }: Given): Promise<number> {
  const work = workOf(action, { subject, list, name: options.get("name") ?? "", scopes: options.get("scopes") });
  for (const line of await withDeps(work)) process.stdout.write(`${line}\n`);
  return 0;
}

interface Arguments {
  readonly subject: string;
  readonly list: string | undefined;
  readonly name: string;
  readonly scopes: string | undefined;
}

/** What a command does, answering the lines to print. Arguments are checked before a database is opened. */
function workOf(action: string, given: Arguments): (deps: Deps) => Promise<string[]> {
  switch (action) {
    case "list":
      return async (deps) => table(await listCredentials(deps));
    case "create":
      return create(given);
    case "revoke": {
      const { subject } = given;
      return async (deps) => {
        await revokeCredential(deps, subject);
        return [`${subject} is revoked.`];
      };
    }
    case "set-scopes":
      return setScopes(given);
    case "rotate-store-key":
      return async (deps) => [
        `secret  ${(await rotateApiSecretKey(deps)).secret}`,
        "It works for the API from now on. Once receivers know it, run: pointkeeper credentials confirm-store-key",
      ];
    case "confirm-store-key":
      return async (deps) => {
        await confirmApiSecretKey(deps);
        return ["The new API secret key signs from now on; the old one no longer works."];
      };
    default:
      throw new Error(`no work for ${action}`);
  }
}

function create({ name, scopes: scopeList }: Arguments): (deps: Deps) => Promise<string[]> {
  const scopes = parseScopes(scopeList);
  if (scopes === null) throw new UsageError(`Scopes are ${SCOPES.join(", ")}, separated by commas.`);
  return async (deps) => {
    const made = await createCredential(deps, { name, scopes });
    return [`key     ${made.key}`, `secret  ${made.secret}`, "The secret is shown only once."];
  };
}

/** `none` stands for no scope: the store's own credential closed to the API. */
function setScopes({ subject, list }: Arguments): (deps: Deps) => Promise<string[]> {
  const scopes = list === "none" ? [] : parseScopes(list);
  if (scopes === null) throw new UsageError(`Scopes are ${SCOPES.join(", ")}, separated by commas, or none.`);
  return async (deps) => {
    const set = await setCredentialScopes(deps, subject, scopes);
    const signs = set.isStore && set.scopes.length === 0 ? " Its secret still signs deliveries." : "";
    return [`${set.name}: ${set.scopes.join(", ") || "none"}.${signs}`];
  };
}

function table(listed: readonly ListedCredential[]): string[] {
  const rows = listed.map((credential) => [
    credential.name,
    credential.key,
    credential.scopes.join(",") || "none",
    credential.revokedAt !== null ? "revoked" : credential.isStore ? "the store's own" : "active",
    credential.lastUsedAt?.toString({ smallestUnit: "minute" }) ?? "never used",
  ]);
  const all = [["NAME", "KEY", "SCOPES", "STATE", "LAST USED"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
