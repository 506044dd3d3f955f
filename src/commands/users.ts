import { text } from "node:stream/consumers";
import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { changeStaff } from "../staff/change-staff.ts";
import { createStaff } from "../staff/create-staff.ts";
import { type ListedStaff, listStaff } from "../staff/list-staff.ts";
import { resetPassword } from "../staff/passwords/reset-password.ts";
import { selectStaffByEmail } from "../staff/queries.ts";
import { removeTotp } from "../staff/second-factor/remove-totp.ts";
import { MADE_PASSWORD_DAYS } from "../staff/sessions/session.ts";
import { NotFoundError } from "../start/failure-line.ts";
import { ROLES, type Role } from "../wire/access.ts";
import type { Given } from "./command-line.ts";
import { inTone, jsonTime, print, type Shown, shortTime, tableLines } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper users ...`: the people who sign in to the dashboard; see `pointkeeper help`. */
export async function users(given: Given): Promise<number> {
  const {
    action,
    operands: [operand = ""],
    options,
  } = given;
  const work = workOf(action, {
    email: options.get("email") ?? operand,
    name: options.get("name"),
    role: options.get("role"),
    password: options.has("password-stdin") ? await firstLine() : undefined,
  });
  print(given, await withDeps(work));
  return 0;
}

interface Arguments {
  readonly email: string;
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly password: string | undefined;
}

type Work = (deps: Deps) => Promise<Shown>;

/** Returns the work of an action, which returns its output. Arguments are checked before a database is opened. */
function workOf(action: string, given: Arguments): Work {
  switch (action) {
    case "list":
      return async (deps) => listed(await listStaff(deps));
    case "create":
      return create(given);
    case "disable":
      return onPerson(given, async (deps, uid, email) => {
        await changeStaff(deps, uid, { isDisabled: true });
        return said(email, `${email} is disabled and signed out.`);
      });
    case "enable":
      return onPerson(given, async (deps, uid, email) => {
        await changeStaff(deps, uid, { isDisabled: false });
        return said(email, `${email} can sign in again.`);
      });
    case "reset-password":
      return onPerson(given, async (deps, uid, email) => {
        const { madePassword } = await resetPassword(deps, uid, given.password);
        return withPassword(email, `${email} is signed out everywhere.`, madePassword);
      });
    case "remove-totp":
      return onPerson(given, async (deps, uid, email) => {
        await removeTotp(deps, uid);
        return said(email, `${email} now signs in without a second factor.`);
      });
    default:
      throw new Error(`no work for ${action}`);
  }
}

function create({ email, name, role, password }: Arguments): Work {
  const known = ROLES.find((one) => one === role);
  if (known === undefined) throw new UsageError(`--role is one of ${ROLES.join(", ")}.`);
  const input: { email: string; name: string; role: Role } = { email, name: name ?? email, role: known };
  return async (deps) => {
    const { madePassword } = await createStaff(deps, { ...input, password });
    return withPassword(email, `${email} can sign in at ${deps.config.publicUrl}/admin as ${known}.`, madePassword);
  };
}

type PersonWork = (deps: Deps, uid: string, email: string) => Promise<Shown>;

function onPerson({ email }: Arguments, work: PersonWork): Work {
  return async (deps) => {
    const staff = await selectStaffByEmail(deps.db, email.trim().toLowerCase());
    if (staff === undefined) throw new NotFoundError(`Nobody has the e-mail address ${email}.`);
    return work(deps, staff.uid, staff.email);
  };
}

const ONCE = `It is shown only once and works once, within ${MADE_PASSWORD_DAYS} days, to choose another password.`;

function said(email: string, line: string): Shown {
  return { json: { email, message: line }, text: [line] };
}

function withPassword(email: string, line: string, madePassword: string | null): Shown {
  const lines = madePassword === null ? [] : [`password  ${madePassword}`, ONCE];
  return { json: { email, message: line, password: madePassword }, text: [line, ...lines] };
}

function listed(people: readonly ListedStaff[]): Shown {
  const rows = people.map(({ email, role, name, hasFactor, disabledAt, seenAt }) => [
    email,
    role,
    name,
    disabledAt === null ? "active" : inTone("warning", "disabled"),
    hasFactor ? "yes" : "no",
    shortTime(seenAt),
  ]);
  return {
    json: {
      users: people.map(({ email, role, name, hasFactor, disabledAt, seenAt }) => ({
        email,
        name,
        role,
        has_second_factor: hasFactor,
        disabled_at: jsonTime(disabledAt),
        last_seen_at: jsonTime(seenAt),
      })),
    },
    text: tableLines(["e-mail", "role", "name", "state", "second factor", "last seen"], rows),
  };
}

async function firstLine(): Promise<string> {
  return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? "";
}
