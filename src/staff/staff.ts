import type { Role } from "../wire/access.ts";
import type { Language } from "../wire/language.ts";

/** A person who signs in. */
export interface Staff {
  readonly uid: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null: the browser's. */
  readonly language: Language | null;
  readonly hasTotp: boolean;
  /** Those that open something. */
  readonly passkeys: number;
  readonly hasPassword: boolean;
  /** Whether the identity provider signs them in. */
  readonly hasIdentity: boolean;
  /** The password was made by the service and shown once: its owner should choose another. */
  readonly hasMadePassword: boolean;
}

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const NAME_LENGTH_MAX = 100;
const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 200;

/** An address as it is kept; null: it is none. */
export function normalEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return EMAIL.test(email) ? email : null;
}

/** A name as it is kept; null: it is empty or too long. */
export function normalName(text: string): string | null {
  const name = text.trim();
  return name !== "" && name.length <= NAME_LENGTH_MAX ? name : null;
}

/** What was expected of a new password, or null: it will do. Length is what counts. */
export function passwordFault(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    return `expected ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`;
  }
  if (new Set(password).size < 4) return "expected more than a few different characters";
  if (password.toLowerCase() === email) return "expected something other than the e-mail address";
  return null;
}

/** Letters and digits that are not mistaken for one another. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** A password of 79 bits from 16 random bytes, in groups of four to read out. */
export function madePassword(bytes: Uint8Array): string {
  const letters = [...bytes.slice(0, 16)].map((byte) => ALPHABET[byte % ALPHABET.length] ?? "");
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join("")).join("-");
}
