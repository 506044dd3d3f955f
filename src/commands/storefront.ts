import { allowStorefrontOrigin } from "../credentials/allow-storefront-origin.ts";
import { createStorefrontKey } from "../credentials/create-storefront-key.ts";
import { listStorefrontAccess, type StorefrontAccess } from "../credentials/list-storefront-access.ts";
import { removeStorefrontOrigin } from "../credentials/remove-storefront-origin.ts";
import { revokeStorefrontKey } from "../credentials/revoke-storefront-key.ts";
import type { Deps } from "../deps.ts";
import type { Given } from "./command-line.ts";
import { jsonTime, print, type Shown, tableLines } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper storefront ...`: keys that sign customer tokens, and the pages that may use them (docs/widget.md). */
export async function storefront(given: Given): Promise<number> {
  const {
    action,
    operands: [subject = ""],
    options,
  } = given;
  const name = options.get("name") ?? "";
  print(given, await withDeps(workOf(action, { subject, name, canRedeem: !options.has("read-only") })));
  return 0;
}

interface Arguments {
  readonly subject: string;
  readonly name: string;
  readonly canRedeem: boolean;
}

function workOf(action: string, { subject, name, canRedeem }: Arguments): (deps: Deps) => Promise<Shown> {
  switch (action) {
    case "list":
      return async (deps) => listed(await listStorefrontAccess(deps));
    case "create-key":
      return async (deps) => {
        const { kid, secret } = await createStorefrontKey(deps, { name, canRedeem });
        const text = [`key id  ${kid}`, `secret  ${secret}`, "The secret is shown only once."];
        return { json: { name, key_id: kid, secret, can_redeem: canRedeem }, text };
      };
    case "revoke-key":
      return async (deps) => {
        await revokeStorefrontKey(deps, subject);
        return { json: { revoked: subject }, text: [`${subject} is revoked.`] };
      };
    case "allow-origin":
      return async (deps) => {
        const origin = await allowStorefrontOrigin(deps, subject);
        return { json: { allowed: origin }, text: [`Pages of ${origin} may use tokens of customers.`] };
      };
    case "remove-origin":
      return async (deps) => {
        await removeStorefrontOrigin(deps, subject);
        return { json: { removed: subject }, text: [`Pages of ${subject} may no longer use tokens of customers.`] };
      };
    default:
      throw new Error(`no work for ${action}`);
  }
}

function listed({ keys, origins }: StorefrontAccess): Shown {
  const rows = keys.map(({ name, kid, scopes, lastUsedAt, revokedAt }) => [
    name,
    kid,
    scopes.join(","),
    revokedAt === null ? "active" : "revoked",
    lastUsedAt?.toString({ smallestUnit: "minute" }) ?? "never used",
  ]);
  return {
    json: {
      keys: keys.map((key) => ({
        name: key.name,
        key_id: key.kid,
        scopes: key.scopes,
        created_at: jsonTime(key.createdAt),
        last_used_at: jsonTime(key.lastUsedAt),
        revoked_at: jsonTime(key.revokedAt),
      })),
      origins,
    },
    text: [
      ...tableLines(["NAME", "KEY ID", "SCOPES", "STATE", "LAST USED"], rows, { header: "always" }),
      "",
      ...(origins.length === 0 ? ["No origin is allowed: no page can use a token."] : ["ALLOWED ORIGINS", ...origins]),
    ],
  };
}
