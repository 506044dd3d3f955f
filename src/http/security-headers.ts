/** Browser features that no page of the service uses. */
const NO_FEATURES = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "usb",
]
  .map((feature) => `${feature}=()`)
  .join(", ");

/**
 * Sent with every answer. Answers of the API are data: they load nothing, and contain personal data, so caches must not store them. Answers
 * that may be cached (files named by their content) set their own header.
 */
export const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": NO_FEATURES,
} as const;

/** Returns these headers; if the service is reached by https, also the one that makes browsers use only https for a year. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  if (!publicUrl.startsWith("https:")) return SECURITY_HEADERS;
  return { ...SECURITY_HEADERS, "strict-transport-security": "max-age=31536000" };
}

/** Only for the reference page: its library writes style elements, and reads the document of this host. */
export const DOCS_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Returns the policy for the dashboard's page: its own scripts and styles, and style elements with the nonce of this load. */
export function dashboardPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
