import { UsageError } from "../config.ts";

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUid(text: string): boolean {
  return UID.test(text);
}

/** Returns a uid argument of a command. Throws UsageError with the usage if it is not a uid. */
export function uidArgument(text: string | undefined, usage: string): string {
  if (text === undefined || !isUid(text)) throw new UsageError(`Expected a uid: ${usage}`);
  return text;
}
