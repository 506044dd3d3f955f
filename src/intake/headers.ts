import type { IncomingHttpHeaders } from "node:http";
import type { Headers } from "../platforms/platform.ts";

/** A request's headers as platforms read them: names in lower case, each with one text. */
export function headersOf(headers: IncomingHttpHeaders): Headers {
  return new Map(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}
