import type { Config } from "../config.ts";
import type { Db } from "../db/pool.ts";
import { createSecretBox, type SecretBox, SecretBoxError } from "./secret-box.ts";
import { missingKeyText, newSecretKey, readSecretKeys, secretKeyPath, writeSecretKeys } from "./secret-key-file.ts";

/** A store that was started once has an API secret key; other sealed data is created later. */
const HAS_SEALED = `
select exists (select from api_secret_key) or exists (select from subscription) or exists (select from ledger_key)
  or exists (select from staff where totp_sealed is not null) as found`;

/**
 * Creates the box with the configured secret key when a service starts. The key file of the data folder is created on the first start, but never if
 * the database has sealed rows: a new key would not decrypt them, yet seem to be the right one from then on.
 * @throws SecretBoxError if the key is missing
 */
export async function openSecretBox(
  db: Db,
  config: Pick<Config, "secretKey" | "secretKeyPrevious" | "dataDir">,
): Promise<SecretBox> {
  const kept = await readSecretKeys(config);
  if (kept !== null) return createSecretBox(kept);
  const [row] = await db.query<{ found: boolean }>(HAS_SEALED);
  if (row?.found !== false) throw new SecretBoxError(missingKeyText(config.dataDir));
  await writeSecretKeys(secretKeyPath(config.dataDir), [newSecretKey()], "fresh");
  const made = await readSecretKeys(config);
  if (made === null) throw new SecretBoxError(`The key file of ${config.dataDir} could not be created.`);
  return createSecretBox(made);
}
