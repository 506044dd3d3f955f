import { text } from "node:stream/consumers";
import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { changeStaff } from "../staff/change-staff.ts";
import { createStaff } from "../staff/create-staff.ts";
import { type ListedStaff, listStaff } from "../staff/list-staff.ts";
import { selectStaffByEmail } from "../staff/queries.ts";
import { removeTotp } from "../staff/remove-totp.ts";
import { resetPassword } from "../staff/reset-password.ts";
import { MADE_PASSWORD_DAYS } from "../staff/session.ts";
import { ROLES, type Role } from "../wire/access.ts";
import type { Given } from "./command-line.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper users ...`: who signs in to the dashboard; see `pointkeeper help`. */
export async function users({ action, operands: [operand = ""], options }: Given): Promise<number> {
  const work = workOf(action, {
    email: options.get("email") ?? operand,
    name: options.get("name"),
    role: options.get("role"),
    password: options.has("password-stdin") ? await firstLine() : undefined,
  });
  for (const line of await withDeps(work)) process.stdout.write(`${line}\n`);
  return 0;
}

interface Arguments {
  readonly email: string;
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly password: string | undefined;
}

type Work = (deps: Deps) => Promise<string[]>;

/** What a command does, answering the lines to print. Arguments are checked before a database is opened. */
function workOf(action: string, given: Arguments): Work {
  switch (action) {
    case "list":
      return async (deps) => (await listStaff(deps)).map(line);
    case "create":
      return create(given);
    case "disable":
      return onPerson(given, async (deps, uid, email) => {
        await changeStaff(deps, uid, { isDisabled: true });
        return [`${email} is disabled and signed out.`];
      });
    case "enable":
      return onPerson(given, async (deps, uid, email) => {
        await changeStaff(deps, uid, { isDisabled: false });
        return [`${email} can sign in again.`];
      });
    case "reset-password":
      return onPerson(given, async (deps, uid, email) => {
        const { madePassword } = await resetPassword(deps, uid, given.password);
        return [`${email} is signed out everywhere.`, ...passwordLines(madePassword)];
      });
    case "remove-totp":
      return onPerson(given, async (deps, uid, email) => {
        await removeTotp(deps, uid);
        return [`${email} now signs in without a second factor.`];
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
    return [`${email} can sign in at ${deps.config.publicUrl}/admin as ${known}.`, ...passwordLines(madePassword)];
  };
}

type PersonWork = (deps: Deps, uid: string, email: string) => Promise<string[]>;

function onPerson({ email }: Arguments, work: PersonWork): Work {
  return async (deps) => {
    const staff = await selectStaffByEmail(deps.db, email.trim().toLowerCase());
    if (staff === undefined) throw new ConfigError(`Nobody has the e-mail address ${email}.`);
    return work(deps, staff.uid, staff.email);
  };
}

const ONCE = `It is shown only once and works once, within ${MADE_PASSWORD_DAYS} days, to choose another password.`;

function passwordLines(madePassword: string | null): string[] {
  return madePassword === null ? [] : [`password  ${madePassword}`, ONCE];
}

function line(person: ListedStaff): string {
  const state = person.disabledAt === null ? "" : "  disabled";
  return `${person.email}  ${person.role}  ${person.name}${state}`;
}

async function firstLine(): Promise<string> {
  return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? "";
}
