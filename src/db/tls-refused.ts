/** Codes with which a server's certificate is refused: expired, of another name, of an authority that is not known. */
const REFUSED = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** The driver's errors for a server without TLS have no code. */
const NO_TLS = /^(?:The server does not support SSL connections|There was an error establishing an SSL connection)$/;

/** Whether a connection failed because the server has no TLS, or because of its certificate: another try cannot succeed. */
export function isTlsRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return (typeof code === "string" && REFUSED.has(code)) || NO_TLS.test(error.message);
}
