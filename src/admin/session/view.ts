import { exponent } from "../../platforms/money.ts";
import type { Program } from "../../program/program.ts";
import type { Passkey } from "../../staff/passkeys/passkey.ts";
import { permissionsOf } from "../../staff/permissions.ts";
import { deviceName } from "../../staff/sessions/device-name.ts";
import type { ListedSession } from "../../staff/sessions/list-sessions.ts";
import type { SignedIn } from "../../staff/sessions/session.ts";
import type { Staff } from "../../staff/staff.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { DefaultView } from "../saved-views/queries.ts";
import type { ShownTheme } from "../theme/schema.ts";
import type { ListedSessionRow, PasskeyListed, SessionState, SignInMethods } from "./schema.ts";

/**
 * The signed-in person, their permissions, and how the store writes money and time. A person who first has to choose a password or turn on a second
 * factor has no permissions.
 */
export function sessionView(
  staff: SignedIn,
  program: Program,
  {
    needsFactor,
    signInMethods,
    theme,
    confirmedUntil,
    defaultViews,
  }: {
    readonly needsFactor: boolean;
    readonly signInMethods: SignInMethods;
    readonly theme: ShownTheme;
    readonly confirmedUntil: Temporal.Instant | null;
    readonly defaultViews: readonly DefaultView[];
  },
): SessionState {
  const { store } = program;
  const { approvalLimit, dailyLimit } = program.staff;
  return {
    ways_in: signInMethods,
    confirmed_until: confirmedUntil === null ? null : formatInstant(confirmedUntil),
    staff: staffView(staff),
    permissions: staff.hasMadePassword || needsFactor ? [] : permissionsOf(staff.role),
    setup_needed: false,
    totp_needed: needsFactor,
    store: {
      name: store.name,
      currency: store.currency,
      currency_digits: exponent(store.currency),
      time_zone: store.timeZone,
      theme,
    },
    theme,
    approval_limit: approvalLimit === null ? null : Number(approvalLimit),
    daily_limit: dailyLimit === null ? null : Number(dailyLimit),
    default_views: defaultViews.map(({ list, uid, filters }) => ({ list, uid, filters: { ...filters } })),
  };
}

/** The state for a person who is not signed in: how to sign in, whether the first person has to be created, and the store's colour and logo. */
export function signedOutView(isSetUp: boolean, signInMethods: SignInMethods, theme: ShownTheme): SessionState {
  return {
    ways_in: signInMethods,
    confirmed_until: null,
    staff: null,
    permissions: [],
    setup_needed: !isSetUp && signInMethods.password,
    totp_needed: false,
    store: null,
    theme,
    approval_limit: null,
    daily_limit: null,
    default_views: [],
  };
}

function staffView(staff: Staff): NonNullable<SessionState["staff"]> {
  return {
    uid: staff.uid,
    email: staff.email,
    name: staff.name,
    role: staff.role,
    language: staff.language,
    has_totp: staff.hasTotp,
    has_password: staff.hasPassword,
    has_identity: staff.hasIdentity,
    passkeys: staff.passkeys,
    has_made_password: staff.hasMadePassword,
  };
}

/** `own`: the digest of the requester's token. */
export function listedSessionView(session: ListedSession, own: Buffer | null): ListedSessionRow {
  return {
    uid: session.uid,
    is_current: own !== null && session.tokenHash.equals(own),
    method: session.method,
    ...deviceName(session.userAgent),
    address: session.address,
    created_at: formatInstant(session.createdAt),
    seen_at: formatInstant(session.seenAt),
  };
}

export function passkeyView({ uid, name, isSynced, createdAt, usedAt, suspectedAt }: Passkey): PasskeyListed {
  return {
    uid,
    name,
    is_synced: isSynced,
    is_suspected: suspectedAt !== null,
    created_at: formatInstant(createdAt),
    used_at: usedAt === null ? null : formatInstant(usedAt),
  };
}
