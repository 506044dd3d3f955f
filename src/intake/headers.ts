import type { IncomingHttpHeaders } from "node:http";
import type { Headers } from "../platforms/platform.ts";

/** Returns a request's headers as platforms read them: names in lower case, one string each. */
export function headersOf(headers: IncomingHttpHeaders): Headers {
  return new Map(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}

/** The 401 for a wrong signature or a wrong shop; only the log says which. */
export const UNSIGNED = {
  faults: [
    { detail: "expected a signature over the body by a secret that the service is given, for the shop that it serves" },
  ],
} as const;
