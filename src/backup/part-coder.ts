import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { ConfigError } from "../environment.ts";
import { BackupError, PART_BYTES, type StoredPart } from "./manifest.ts";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const COMPRESS = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } };

/** Encodes the bytes of a part for storage. */
export interface PartEncoder {
  /** The suffix of a part's name: `.zst`, or `.zst.age`. */
  readonly suffix: string;
  readonly isEncrypted: boolean;
  encode(raw: Buffer): Promise<Buffer>;
}

/**
 * Compresses each part, and encrypts it for the age public keys if there are any.
 * @throws ConfigError for a text that is not a public key
 */
export function createEncoder(recipients: readonly string[]): PartEncoder {
  if (recipients.length === 0) {
    return { suffix: ".zst", isEncrypted: false, encode: (raw) => compress(raw, COMPRESS) };
  }
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new ConfigError(`POINTKEEPER_BACKUP_RECIPIENTS: ${recipient} is no public key of age.`);
    }
  }
  const encode = async (raw: Buffer) => Buffer.from(await encrypter.encrypt(await compress(raw, COMPRESS)));
  return { suffix: ".zst.age", isEncrypted: true, encode };
}

/** Stored bytes that cannot be decrypted although a key matches, or that cannot be decompressed. */
export class DamagedPartError extends BackupError {}

/** The message of the age library where the file is for other keys; each other error is of bytes that are damaged. */
const NO_KEY_MATCHES = "no identity matched any of the file's recipients";

/** Decodes the stored bytes of a part. */
export interface PartDecoder {
  /** @throws BackupError for a part that is damaged, or that none of the given keys decrypts */
  decode(part: Pick<StoredPart, "name">, stored: Buffer): Promise<Buffer>;
}

/**
 * Reads parts with the private keys of an age identity file (`AGE-SECRET-KEY-...` lines, comments ignored). Without a path it reads only
 * parts that are not encrypted.
 * @throws BackupError for a file that cannot be read or contains no key
 */
export async function createDecoder(identityPath: string | undefined): Promise<PartDecoder> {
  const decrypter = identityPath === undefined ? undefined : await readIdentities(identityPath);
  async function decrypted(name: string, stored: Buffer): Promise<Buffer> {
    if (!name.endsWith(".age")) return stored;
    if (decrypter === undefined) {
      throw new BackupError("The backup is encrypted: name the file with its private key, --identity <file>.");
    }
    try {
      return Buffer.from(await decrypter.decrypt(stored));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== NO_KEY_MATCHES) throw damagedPart(name, reason);
      throw new BackupError(
        `${name} of the backup cannot be decrypted with the key of ${identityPath}: ${reason}. Use the private key of a recipient for whom it was made.`,
      );
    }
  }
  return {
    async decode({ name }, stored) {
      const compressed = await decrypted(name, stored);
      try {
        return await decompress(compressed, { maxOutputLength: PART_BYTES });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw damagedPart(name, reason);
      }
    },
  };
}

function damagedPart(name: string, reason: string): DamagedPartError {
  return new DamagedPartError(`${name} of the backup is damaged: ${reason}. Use another backup.`);
}

const IDENTITY_BYTES_MAX = 65_536;

async function readIdentities(path: string): Promise<Decrypter> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new BackupError(`The file of the private key cannot be read: ${error.message}.`);
  });
  const lines = text
    .slice(0, IDENTITY_BYTES_MAX)
    .split("\n")
    .map((line) => line.trim());
  const identities = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    throw new BackupError(`${path} holds a line that is no private key of age (AGE-SECRET-KEY-1...).`);
  }
  if (identities.length === 0) throw new BackupError(`${path} holds no private key of age (AGE-SECRET-KEY-1...).`);
  return decrypter;
}

/**
 * Generates a key pair: writes the private key into a new file that only its user can read, and returns the public key, `age1...`.
 * @throws BackupError where the file exists
 */
export async function writeNewIdentity(path: string): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(
      error.code === "EEXIST"
        ? `${path} is there already: name a new file.`
        : `The private key cannot be written: ${error.message}.`,
    );
  });
  try {
    await file.writeFile(`# public key: ${recipient}\n${identity}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return recipient;
}

/** Returns the SHA-256 of bytes in hexadecimal digits. */
export function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
