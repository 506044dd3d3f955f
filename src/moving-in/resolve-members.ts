import type { CustomerRow } from "../customers/customer.ts";
import { selectByEmails, selectByStorefrontIds, selectCustomers } from "../customers/customer-queries.ts";
import { formerAddressId, memberIdOf } from "../customers/member-id.ts";
import type { Queryable } from "../db/pool.ts";
import { selectFoundCustomers } from "../imports/check/survey-queries.ts";
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
  /** The row was that of a customer who has been merged into this one since the file was checked, or while it is imported. */
  readonly isOfMerged: boolean;
}

/** The move whose members are resolved. */
export interface ResolvedMove {
  /** A part of the ids of new members. */
  readonly nonce: string;
  readonly moveUid: string;
  /** The import whose check found customers for rows; undefined: the file was not checked before. */
  readonly checkUid: string | undefined;
}

/**
 * Finds the customers of some members of a move: by e-mail; if nobody has the address, the one whom the check found for the row, or into whom the
 * address was merged while the move is imported; or else by the platform's id if that customer has no other address. A new member gets the platform's
 * id, or else one made from the e-mail address and the nonce.
 */
export async function resolveMembers(
  queryable: Queryable,
  members: readonly Member[],
  move: ResolvedMove,
): Promise<readonly (ResolvedMember | StoredIssue)[]> {
  const emails = members.flatMap(({ email }) => email ?? []);
  const ids = members.flatMap(({ id }) => id ?? []);
  const [byEmail, byId] = await Promise.all([
    selectByEmails(queryable, [...new Set(emails)]),
    selectByStorefrontIds(queryable, [...new Set(ids)]),
  ]);
  const others = members.filter(({ email }) => !byEmail.has(email));
  const [byCheck, byFormerEmail] = await Promise.all([
    selectByCheck(queryable, others, move.checkUid),
    selectByFormerEmails(queryable, others, move.moveUid),
  ]);
  return members.map((member) => resolveMember(member, { byEmail, byCheck, byFormerEmail, byId, nonce: move.nonce }));
}

/** Somebody whom a row named before. */
interface Former {
  /** Undefined: removed. */
  readonly customer: CustomerRow | undefined;
  readonly isOfMerged: boolean;
}

/** Returns, by the row, who has become of the customers whom the check found. */
async function selectByCheck(
  queryable: Queryable,
  members: readonly Member[],
  checkUid: string | undefined,
): Promise<ReadonlyMap<number, Former>> {
  if (checkUid === undefined || members.length === 0) return new Map();
  const found = await selectFoundCustomers(queryable, checkUid, members);
  const named = new Set(members.map(({ n }) => n));
  const refs = [...found].filter(([n]) => named.has(n));
  if (refs.length === 0) return new Map();
  const rows = await selectCustomers(
    queryable,
    refs.map(([, ref]) => ref),
  );
  const idOf = new Map(rows.map(({ customerUid, storefrontId }) => [customerUid, storefrontId]));
  const holders = await selectByStorefrontIds(queryable, [...new Set(idOf.values())]); // the id of a merged customer leads to the survivor
  return new Map(
    refs.map(([n, { customerUid }]) => {
      const customer = holders.get(idOf.get(customerUid) ?? "");
      return [n, { customer, isOfMerged: customer !== undefined && customer.customerUid !== customerUid }];
    }),
  );
}

/** Returns, by e-mail, the customers into whom those with the addresses were merged (`formerAddressId`). */
async function selectByFormerEmails(
  queryable: Queryable,
  members: readonly Member[],
  moveUid: string,
): Promise<ReadonlyMap<string | null, Former>> {
  const emails = members.flatMap(({ email }) => email ?? []);
  const emailOf = new Map(emails.map((email) => [formerAddressId(email, moveUid), email]));
  const found = await selectByStorefrontIds(queryable, [...emailOf.keys()]);
  return new Map([...found].map(([id, customer]) => [emailOf.get(id) ?? null, { customer, isOfMerged: true }]));
}

interface Known {
  readonly byEmail: ReadonlyMap<string | null, readonly CustomerRow[]>;
  readonly byCheck: ReadonlyMap<number, Former>;
  readonly byFormerEmail: ReadonlyMap<string | null, Former>;
  readonly byId: ReadonlyMap<string, CustomerRow>;
  readonly nonce: string;
}

function resolveMember(member: Member, known: Known): ResolvedMember | StoredIssue {
  const { byEmail, byCheck, byFormerEmail, byId, nonce } = known;
  const { n, id, email } = member;
  const fault = (code: IssueCode, field: "id" | "email") => storedIssue(member, issueOf(code, field, member[field]));
  const [holder, another] = email === null ? [] : (byEmail.get(email) ?? []);
  if (another !== undefined) return fault("customer_ambiguous", "email");
  if (holder !== undefined) return { member, ...placeOf(holder), foundBy: "email" };
  const former = byCheck.get(n) ?? byFormerEmail.get(email);
  if (former?.customer?.deletedAt === null)
    return { member, ...placeOf(former.customer), foundBy: "email", isOfMerged: former.isOfMerged };
  if (former?.customer !== undefined) return fault("customer_deleted", email === null ? "id" : "email");
  const named = id === null ? undefined : byId.get(id);
  if (named?.deletedAt === null) {
    if (email === null || named.email === null) return { member, ...placeOf(named), foundBy: "id" };
    return fault("id_of_another", "id");
  }
  if (named !== undefined) return fault("customer_deleted", "id");
  const storefrontId = id ?? memberIdOf(email ?? "", nonce);
  return { member, storefrontId, customer: null, foundBy: "nothing", isOfMerged: false };
}

function placeOf({
  storefrontId,
  bucket,
  customerUid,
}: CustomerRow): Pick<ResolvedMember, "storefrontId" | "customer" | "isOfMerged"> {
  return { storefrontId, customer: { bucket, customerUid }, isOfMerged: false };
}
