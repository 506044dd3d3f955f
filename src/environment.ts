/** The settings of a process: text by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** An invalid setting; `main` prints it and exits with 1. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The minimum number of characters of given secrets: the API secret key is also the key of HS256 (RFC 7518: 256 bits). */
export const SECRET_LENGTH_MIN = 32;
const NUMBER_MAX = 1_000_000;

/** Returns a text; undefined: not set, or blank. */
export function textSetting(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/** Returns the texts of a list separated by commas; empty if it is not set. */
export function listSetting(env: Env, name: string): string[] {
  const parts = (textSetting(env, name) ?? "").split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** Returns a secret of this service. Throws ConfigError if it is too short; undefined: not set. */
export function secretSetting(env: Env, name: string): string | undefined {
  const value = textSetting(env, name);
  if (value === undefined || value.length >= SECRET_LENGTH_MIN) return value;
  throw new ConfigError(
    `${name} must have at least ${SECRET_LENGTH_MIN} characters, not ${value.length}. Create one: openssl rand -base64 32, or ` +
      `node -e 'console.log(require("node:crypto").randomBytes(32).toString("base64url"))'`,
  );
}

/** Returns a flag: 1 or true, 0 or false; false if it is not set. */
export function flagSetting(env: Env, name: string): boolean {
  const value = textSetting(env, name);
  if (value === undefined || value === "0" || value === "false") return false;
  if (value === "1" || value === "true") return true;
  throw new ConfigError(`${name} must be 1 or 0, not "${value}".`);
}

/** Returns an integer within bounds, `fallback` if it is not set. Throws ConfigError. */
export function numberSetting(
  env: Env,
  name: string,
  { fallback, min = 0, max = NUMBER_MAX }: { fallback: number; min?: number; max?: number },
): number {
  const value = textSetting(env, name) ?? String(fallback);
  const number = Number(value);
  if (/^\d{1,7}$/.test(value) && number >= min && number <= max) return number;
  throw new ConfigError(`${name} must be a number from ${min} to ${max}, not "${value}".`);
}

/** Returns a number of digits only; undefined: it is not set. Throws ConfigError. */
export function optionalNumberSetting(
  env: Env,
  name: string,
  bounds: { readonly min: number; readonly max: number },
): number | undefined {
  if (textSetting(env, name) === undefined) return undefined;
  return numberSetting(env, name, { fallback: bounds.min, ...bounds });
}

/** Returns a port; 0: any free one. Throws ConfigError. */
export function portNumber(value: string, name = "PORT"): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535)
    throw new ConfigError(`${name} must be a number from 0 to 65535, not "${value}".`);
  return port;
}

/** Returns the ports of a list, without 0; empty if it is not set. Throws ConfigError. */
export function portsSetting(env: Env, name: string): number[] {
  const given = listSetting(env, name);
  const wrong = given.find((part) => !/^\d{1,5}$/.test(part) || Number(part) < 1 || Number(part) > 65_535);
  if (wrong !== undefined) throw new ConfigError(`${name} must be ports from 1 to 65535 with commas, not "${wrong}".`);
  return given.map(Number);
}

/** Returns a duration that is set in seconds, as milliseconds; `usual` and the bounds are in seconds. Throws ConfigError. */
export function secondsSetting(
  env: Env,
  name: string,
  { usual, min = 0, max }: { usual: number; min?: number; max: number },
): number {
  const value = textSetting(env, name) ?? String(usual);
  if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max)
    throw new ConfigError(`${name} must be a number of seconds from ${min} to ${max}, not "${value}".`);
  return Number(value) * 1_000;
}

const DISTANCE_MAX = 4;

/** Returns the name that a misspelt one was probably meant to be, by edit distance; undefined: none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= DISTANCE_MAX)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Returns how many letters have to be changed, inserted or removed (Levenshtein distance). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const [changed = 0, left = 0, put = 0] = [row[j], row[j + 1], next[j]];
      next.push(Math.min(changed + (letter === other ? 0 : 1), left + 1, put + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
