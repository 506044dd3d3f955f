/** Random bytes of a subscription's secret (Standard Webhooks: 24 to 64). */
export const SECRET_BYTES = 32;

/** Returns the secret of a subscription in the format of Standard Webhooks: `whsec_` and base64 (program.md 7). */
export function secretText(bytes: Buffer): string {
  return `whsec_${bytes.toString("base64")}`;
}
