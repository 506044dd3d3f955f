import { exponent } from "../../platforms/money.ts";
import type { Program } from "../../program/program.ts";
import { permissionsOf } from "../../staff/permissions.ts";
import type { Staff } from "../../staff/staff.ts";
import type { SessionState } from "./schema.ts";

/**
 * Who is signed in, what they may do, and how the store writes money and time. Somebody who has to choose a password or turn a
 * second factor on first may do nothing.
 */
export function sessionView(staff: Staff, program: Program, needsTotp: boolean): SessionState {
  const { store } = program;
  const { approvalLimit, dailyLimit } = program.staff;
  return {
    staff: staffView(staff),
    permissions: staff.hasMadePassword || needsTotp ? [] : permissionsOf(staff.role),
    setup_needed: false,
    totp_needed: needsTotp,
    store: {
      name: store.name,
      currency: store.currency,
      currency_digits: exponent(store.currency),
      time_zone: store.timeZone,
    },
    approval_limit: approvalLimit === null ? null : Number(approvalLimit),
    daily_limit: dailyLimit === null ? null : Number(dailyLimit),
  };
}

/** What a stranger is shown: whether the first person is still to be made. */
export function strangerView(isSetUp: boolean): SessionState {
  return {
    staff: null,
    permissions: [],
    setup_needed: !isSetUp,
    totp_needed: false,
    store: null,
    approval_limit: null,
    daily_limit: null,
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
    has_made_password: staff.hasMadePassword,
  };
}
