import type { Role } from "../wire/access.ts";
import type { Language } from "../wire/language.ts";

/** A person who signs in. */
export interface Staff {
  readonly uid: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null: the language of the browser. */
  readonly language: Language | null;
  readonly hasTotp: boolean;
  /** The number of passkeys that are accepted. */
  readonly passkeys: number;
  readonly hasPassword: boolean;
  /** Whether they are linked to the identity provider. */
  readonly hasIdentity: boolean;
  /** The service generated the password and showed it once; the person should choose another. */
  readonly hasMadePassword: boolean;
}

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const NAME_LENGTH_MAX = 100;
const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 200;

/** An address in the form in which it is stored; null where it is not valid. */
export function normalEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return EMAIL.test(email) ? email : null;
}

/** A name in the form in which it is stored; null where it is empty or too long. */
export function normalName(text: string): string | null {
  const name = text.trim();
  return name !== "" && name.length <= NAME_LENGTH_MAX ? name : null;
}

/** Returns why a new password is refused, as what was expected; null: it is accepted. Length is required, not kinds of characters. */
export function passwordFault(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    return `expected ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`;
  }
  if (new Set(password).size < 4) return "expected more than a few different characters";
  if (password.toLowerCase() === email) return "expected something other than the e-mail address";
  return null;
}

/** Letters and digits that cannot be mistaken for each other. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** A password of 79 bits from 16 random bytes, in groups of four to read out. */
export function madePassword(bytes: Uint8Array): string {
  const letters = [...bytes.slice(0, 16)].map((byte) => ALPHABET[byte % ALPHABET.length] ?? "");
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join("")).join("-");
}
