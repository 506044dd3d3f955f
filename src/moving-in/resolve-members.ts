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
}

/**
 * Finds the customers of some members: by e-mail, or else by the platform's id if that customer has no other address. A new member gets the
 * platform's id, or else one made from the e-mail address and the nonce.
 */
export async function resolveMembers(
  queryable: Queryable,
  members: readonly Member[],
  nonce: string,
): Promise<readonly (ResolvedMember | StoredIssue)[]> {
  const emails = members.flatMap(({ email }) => email ?? []);
  const ids = members.flatMap(({ id }) => id ?? []);
  const [byEmail, byId] = await Promise.all([
    selectByEmails(queryable, [...new Set(emails)]),
    selectByStorefrontIds(queryable, [...new Set(ids)]),
  ]);
  return members.map((member) => resolveMember(member, { byEmail, byId, nonce }));
}

interface Known {
  readonly byEmail: ReadonlyMap<string | null, readonly CustomerRow[]>;
  readonly byId: ReadonlyMap<string, CustomerRow>;
  readonly nonce: string;
}

function resolveMember(member: Member, { byEmail, byId, nonce }: Known): ResolvedMember | StoredIssue {
  const { id, email } = member;
  const fault = (code: IssueCode, field: "id" | "email") => storedIssue(member, issueOf(code, field, member[field]));
  const [holder, another] = email === null ? [] : (byEmail.get(email) ?? []);
  if (another !== undefined) return fault("customer_ambiguous", "email");
  if (holder !== undefined) return { member, ...placeOf(holder), foundBy: "email" };
  const named = id === null ? undefined : byId.get(id);
  if (named?.deletedAt === null) {
    if (email === null || named.email === null) return { member, ...placeOf(named), foundBy: "id" };
    return fault("id_of_another", "id");
  }
  if (named !== undefined) return fault("customer_deleted", "id");
  return { member, storefrontId: id ?? memberIdOf(email ?? "", nonce), customer: null, foundBy: "nothing" };
}

function placeOf({
  storefrontId,
  bucket,
  customerUid,
}: CustomerRow): Pick<ResolvedMember, "storefrontId" | "customer"> {
  return { storefrontId, customer: { bucket, customerUid } };
}
