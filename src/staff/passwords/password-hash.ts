/** argon2id with OWASP's parameters: 19 MiB, two passes, one thread (`parallelism`). */
export const ARGON2 = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
export const SALT_BYTES = 16;

export interface PasswordHash {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

/** The PHC form: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`. */
export function formatPasswordHash({ memory, passes, parallelism, salt, tag }: PasswordHash): string {
  const text = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Null where the text is not a hash of this form. */
export function parsePasswordHash(text: string): PasswordHash | null {
  const [, memory, passes, parallelism, salt, tag] = FORM.exec(text) ?? [];
  if (salt === undefined || tag === undefined) return null;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

/** The normalised bytes of a password, so that it matches in every Unicode form; keyboards differ. */
export function passwordBytes(password: string): Buffer {
  return Buffer.from(password.normalize("NFKC"), "utf8");
}
