import { exponent } from "../../platforms/money.ts";
import type { Program } from "../../shop/program.ts";
import { permissionsOf } from "../../staff/permissions.ts";
import type { Staff } from "../../staff/staff.ts";
import type { SessionState } from "./schema.ts";

/** Who is signed in, what they may do, and how the store writes money and time. A stranger is told of the store only. */
export function sessionView(staff: Staff | null, program: Program, isSetUp: boolean): SessionState {
  const { store } = program;
  const { approvalLimit, dailyLimit } = program.staff;
  return {
    staff: staff === null ? null : staffView(staff),
    permissions: staff === null ? [] : permissionsOf(staff.role),
    setup_needed: !isSetUp,
    store: {
      name: store.name,
      currency: store.currency,
      currency_digits: exponent(store.currency),
      time_zone: store.timeZone,
    },
    approval_limit: staff === null || approvalLimit === null ? null : Number(approvalLimit),
    daily_limit: staff === null || dailyLimit === null ? null : Number(dailyLimit),
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
