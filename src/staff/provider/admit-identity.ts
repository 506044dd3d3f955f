import { runAs } from "../../actor.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { ROLES } from "../../wire/access.ts";
import { roleChange } from "../access-change.ts";
import { recordProviderChange } from "../access-queries.ts";
import { insertStaff } from "../insert-staff.ts";
import { countOtherOwners, LOCK_OWNERS, type StaffRow, selectStaff, selectStaffByEmail } from "../queries.ts";
import { type StartedSession, startSession } from "../sessions/start-session.ts";
import { recordRefusal } from "../sign-in/record-refusal.ts";
import { insertIdentity, recordIdentitySignIn, selectIdentity, selectIdentityOf } from "./identity-queries.ts";
import type { OidcRefusal, ProviderPerson } from "./oidc-claims.ts";

type AdmitDeps = Pick<Deps, "db" | "config" | "clock" | "random" | "secretBox">;

/** The address and browser of a sign-in. */
export interface SignInPlace {
  readonly address: string;
  readonly userAgent: string | null;
  readonly device: string | null;
}

type Admission =
  | { readonly kind: "signed_in"; readonly started: StartedSession }
  | { readonly kind: "refused"; readonly why: OidcRefusal };

/**
 * Signs in the person whom the provider has authenticated. The account is found by issuer and subject, and by e-mail only where the settings
 * allow linking by a verified one. Where roles come from the provider, its present role applies: a changed role ends the earlier sessions, and
 * a lost role ends all sessions and all other ways to sign in. This never demotes or locks out the last owner who can sign in, because then
 * a wrong setting would lock everybody out of the store.
 */
export async function admitIdentity(deps: AdmitDeps, person: ProviderPerson, place: SignInPlace): Promise<Admission> {
  const name = providerName(person.issuer);
  const actor = { kind: "system", id: null, name, address: place.address } as const;
  const admission = await runAs(actor, () =>
    deps.db.tx(async (tx): Promise<Admission & { readonly staffUid: string | null }> => {
      await tx.query(LOCK_OWNERS);
      const staff = await findOrMake(tx, deps, person);
      if (typeof staff === "string") return { kind: "refused", why: staff, staffUid: null };
      const why = staff.disabledAt === null ? await followRole(tx, deps, { staff, person }) : "disabled";
      if (why !== null) return { kind: "refused", why, staffUid: staff.uid };
      const { uid: staffUid } = staff;
      const after = { by: "oidc", provider: name };
      await recordAction(tx, deps, { action: "staff.signed_in", subject: { kind: "staff", id: staffUid }, after });
      const confirmedAgoS = authenticatedAgoS(person);
      const started = await startSession(tx, deps, { staffUid, ...place, method: "oidc", confirmedAgoS });
      return { kind: "signed_in", started, staffUid };
    }),
  );
  if (admission.kind === "refused") {
    const { staffUid, why } = admission;
    await recordRefusal(deps, { staffUid, actor, after: { by: "oidc", why } });
  }
  return admission;
}

/** The name of the provider in the audit log. */
function providerName(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host.slice(0, 100) : "OpenID Connect";
}

/** The person's account: already linked, linked now, or created now. A string is the reason why there is none. */
async function findOrMake(tx: Tx, deps: AdmitDeps, person: ProviderPerson): Promise<StaffRow | OidcRefusal> {
  const identity = await selectIdentity(tx, person);
  if (identity !== undefined) return (await selectStaff(tx, identity.staffUid)) ?? "no_account";
  const { roles = null, linksByEmail = false } = deps.config.oidc ?? {};
  if (roles !== null && person.role === null) return "no_role";
  if (person.email === null) return "no_email";
  const found = await selectStaffByEmail(tx, person.email);
  if (found === undefined)
    return roles === null ? "no_account" : makePerson(tx, deps, { ...person, email: person.email });
  if (!linksByEmail) return "email_taken";
  if (found.disabledAt !== null) return "disabled";
  if ((await selectIdentityOf(tx, found.uid)) !== undefined) return "taken";
  return (await link(tx, deps, { person, staffUid: found.uid })) ? found : "taken";
}

async function makePerson(
  tx: Tx,
  deps: AdmitDeps,
  person: ProviderPerson & { readonly email: string },
): Promise<StaffRow | OidcRefusal> {
  const { role, email, name } = person;
  if (role === null) return "no_role";
  if (role !== "owner" && (await countOtherOwners(tx, null)) === 0) return "no_account"; // the first person is an owner
  const staffUid = await insertStaff(tx, deps, { email, name: name ?? email.slice(0, 100), role, password: null });
  await recordProviderChange(tx, deps, { kind: "invited", staffUid, role, provider: providerName(person.issuer) });
  await link(tx, deps, { person, staffUid });
  return (await selectStaff(tx, staffUid)) ?? "no_account";
}

async function link(
  tx: Tx,
  deps: AdmitDeps,
  { person, staffUid }: { readonly person: ProviderPerson; readonly staffUid: string },
): Promise<boolean> {
  const { issuer, subject } = person;
  return insertIdentity(tx, { issuer, subject, staffUid, now: deps.clock.now() });
}

/** Gives the person their present role; a string is the reason why they may not sign in with it. */
async function followRole(
  tx: Tx,
  deps: AdmitDeps,
  { staff, person }: { readonly staff: StaffRow; readonly person: ProviderPerson },
): Promise<OidcRefusal | null> {
  const { uid: staffUid } = staff;
  const now = deps.clock.now();
  if ((deps.config.oidc?.roles ?? null) === null) {
    await recordIdentitySignIn(tx, { staffUid, now, hasRole: true });
    return null;
  }
  const wasLost = (await selectIdentityOf(tx, staffUid))?.roleLostAt != null;
  const isLastOwner = staff.role === "owner" && (await countOtherOwners(tx, staffUid)) === 0;
  const change = { staffUid, provider: providerName(person.issuer) };
  const { role } = person;
  if (role === null) {
    if (isLastOwner) return "no_role";
    await endSessions(tx, staffUid);
    await recordIdentitySignIn(tx, { staffUid, now, hasRole: false });
    if (!wasLost) await recordProviderChange(tx, deps, { ...change, kind: "disabled", role: staff.role });
    return "no_role";
  }
  if (isLastOwner && role !== "owner") return "last_owner";
  await recordIdentitySignIn(tx, { staffUid, now, hasRole: true });
  if (wasLost) await recordProviderChange(tx, deps, { ...change, kind: "enabled", role });
  const kind = roleChange(ROLES, staff.role, role);
  if (kind === null) return null;
  await tx.execute("update staff set role = $2 where uid = $1", [staffUid, role]);
  await recordProviderChange(tx, deps, { ...change, kind, role });
  await endSessions(tx, staffUid);
  return null;
}

async function endSessions(tx: Tx, staffUid: string): Promise<void> {
  await tx.execute("delete from staff_session where staff_uid = $1", [staffUid]);
  await tx.execute("delete from staff_link where staff_uid = $1", [staffUid]);
  await tx.execute("delete from staff_device where staff_uid = $1", [staffUid]);
}

/** How long ago the person last authenticated at the provider, at most a day. Where it only remembered them, this is long ago, and the session is not confirmed. */
function authenticatedAgoS({ authTimeS }: ProviderPerson): number {
  return authTimeS === null ? 86_400 : Math.min(86_400, Math.max(0, Math.round(Date.now() / 1_000 - authTimeS)));
}
