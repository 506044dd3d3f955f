import type { CustomerRow } from "../customers/customer.ts";
import { selectByEmails, selectByStorefrontIds } from "../customers/customer-queries.ts";
import { memberIdOf } from "../customers/member-id.ts";
import type { Queryable } from "../db/pool.ts";
import { type IssueCode, issueOf, type StoredIssue, storedIssue } from "../imports/issue.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { Member } from "./member.ts";

/** A member with their customer here. */
export interface ResolvedMember {
  readonly member: Member;
  /** The storefront id; a new member gets this one. */
  readonly storefrontId: string;
  /** Null: a new member. */
  readonly customer: CustomerRef | null;
  readonly foundBy: "email" | "id" | "nothing";
  /** The address was that of a customer who was merged into this one while the file waited or was imported. */
  readonly isFormerAddress: boolean;
}

/**
 * Finds the customers of some members of a move: by e-mail, also one that a merge removed since the move's file was checked, or else by the platform's
 * id if that customer has no other address. A new member gets the platform's id, or else one made from the e-mail address and the nonce.
 */
export async function resolveMembers(
  queryable: Queryable,
  members: readonly Member[],
  { nonce, moveUid }: { readonly nonce: string; readonly moveUid: string },
): Promise<readonly (ResolvedMember | StoredIssue)[]> {
  const emails = members.flatMap(({ email }) => email ?? []);
  const ids = members.flatMap(({ id }) => id ?? []);
  const [byEmail, byId] = await Promise.all([
    selectByEmails(queryable, [...new Set(emails)]),
    selectByStorefrontIds(queryable, [...new Set(ids)]),
  ]);
  const byFormerEmail = await selectByFormerEmails(
    queryable,
    emails.filter((email) => !byEmail.has(email)),
    moveUid,
  );
  return members.map((member) => resolveMember(member, { byEmail, byFormerEmail, byId, nonce }));
}

/** Returns, by e-mail, the customers into whom those with the addresses were merged (`keepFormerAddress`). */
async function selectByFormerEmails(
  queryable: Queryable,
  emails: readonly string[],
  moveUid: string,
): Promise<ReadonlyMap<string | null, CustomerRow>> {
  const emailOf = new Map(emails.map((email) => [memberIdOf(email, moveUid), email]));
  const found = await selectByStorefrontIds(queryable, [...emailOf.keys()]);
  return new Map([...found].map(([id, customer]) => [emailOf.get(id) ?? null, customer]));
}

interface Known {
  readonly byEmail: ReadonlyMap<string | null, readonly CustomerRow[]>;
  readonly byFormerEmail: ReadonlyMap<string | null, CustomerRow>;
  readonly byId: ReadonlyMap<string, CustomerRow>;
  readonly nonce: string;
}

function resolveMember(member: Member, { byEmail, byFormerEmail, byId, nonce }: Known): ResolvedMember | StoredIssue {
  const { id, email } = member;
  const fault = (code: IssueCode, field: "id" | "email") => storedIssue(member, issueOf(code, field, member[field]));
  const [holder, another] = email === null ? [] : (byEmail.get(email) ?? []);
  if (another !== undefined) return fault("customer_ambiguous", "email");
  if (holder !== undefined) return { member, ...placeOf(holder), foundBy: "email" };
  const survivor = byFormerEmail.get(email);
  if (survivor?.deletedAt === null) return { member, ...placeOf(survivor), foundBy: "email", isFormerAddress: true };
  if (survivor !== undefined) return fault("customer_deleted", "email");
  const named = id === null ? undefined : byId.get(id);
  if (named?.deletedAt === null) {
    if (email === null || named.email === null) return { member, ...placeOf(named), foundBy: "id" };
    return fault("id_of_another", "id");
  }
  if (named !== undefined) return fault("customer_deleted", "id");
  const storefrontId = id ?? memberIdOf(email ?? "", nonce);
  return { member, storefrontId, customer: null, foundBy: "nothing", isFormerAddress: false };
}

function placeOf({
  storefrontId,
  bucket,
  customerUid,
}: CustomerRow): Pick<ResolvedMember, "storefrontId" | "customer" | "isFormerAddress"> {
  return { storefrontId, customer: { bucket, customerUid }, isFormerAddress: false };
}
