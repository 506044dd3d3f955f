import type { IncomingHttpHeaders } from "node:http";
import type { Headers } from "../platforms/platform.ts";

/** A request's headers as platforms read them: names in lower case, each with one text. */
export function headersOf(headers: IncomingHttpHeaders): Headers {
  return new Map(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}

/** The 401 of whoever is not the store's platform; which of the two was wrong is in the log alone. */
export const UNSIGNED = {
  faults: [
    { detail: "expected a signature over the body by a secret that the service is given, for the shop that it serves" },
  ],
} as const;
