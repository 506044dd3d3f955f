import type { ImportColumns, ImportKind } from "../../../src/admin/csv/schema.ts";

export type Member = keyof ImportColumns;

/** What a row of each kind may say, in the order in which it mostly stands. */
export const MEMBERS: Readonly<Record<ImportKind, readonly Member[]>> = {
  points: ["customer", "points", "extension", "reason", "note"],
  tiers: ["customer", "tier", "minimum_tier", "skip_next_check"],
  customers: ["id", "email", "name", "birthday", "accepts_marketing", "account_enabled"],
};

/** The members without which no row means anything. */
export function missingMembers(kind: ImportKind, columns: ImportColumns, matchByEmail = false): Member[] {
  const has = (member: Member) => columns[member] !== undefined;
  const key = matchByEmail ? "email" : "id";
  if (kind === "customers") return has(key) ? [] : [key];
  const customer: Member[] = has("customer") ? [] : ["customer"];
  if (kind === "points") return has("points") ? customer : [...customer, "points"];
  const isSome = has("tier") || has("minimum_tier") || has("skip_next_check");
  return isSome ? customer : [...customer, "tier"];
}
