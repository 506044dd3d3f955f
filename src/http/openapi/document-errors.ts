import { PROBLEMS, type ProblemCode } from "../../problems.ts";
import type { DocumentPart } from "./document-components.ts";

const code = {
  type: "string",
  description: "The stable name of the refusal, for programs to compare. `docs/errors.md` lists all of them.",
  examples: ["customer_not_found"],
};

const details = {
  code,
  detail: { type: "string", description: "What was expected, or what to do." },
  source: {
    title: "ErrorSource",
    type: "object",
    description: "The place: a JSON pointer into the body, or the name of a parameter.",
    properties: { pointer: { type: "string" }, parameter: { type: "string" } },
  },
};

const requestId = {
  type: "string",
  description: "The id of the request, if the request had an `X-Request-Id` or the status is 500 or above.",
};

const first = {
  title: "Error",
  type: "object",
  required: ["status", "title", "code"],
  properties: {
    status: { type: "string", description: "The HTTP status." },
    title: { type: "string", description: "What was refused." },
    ...details,
  },
};

const newer = {
  title: "ErrorV2",
  type: "object",
  required: ["title", "code"],
  properties: { title: { type: "string", description: "What was refused." }, ...details },
};

/** The formats of refusals: the documented one, and the newer one of `x-api-version: 2.0.0`. */
export const errorSchema = {
  title: "AnyErrorResponse",
  anyOf: [
    {
      title: "ErrorResponse",
      type: "object",
      required: ["errors"],
      properties: { errors: { type: "array", items: first }, request_id: requestId },
    },
    {
      title: "ErrorResponseV2",
      type: "object",
      description: "The shape of `x-api-version: 2.0.0`.",
      required: ["status", "title", "errors"],
      properties: {
        status: { type: "integer", description: "The HTTP status." },
        title: { type: "string", description: "What was refused." },
        errors: { type: "array", items: newer },
        request_id: requestId,
      },
    },
  ],
};

const PHRASES: Readonly<Record<number, string>> = {
  400: "The request cannot be done",
  401: "The credential is missing or wrong",
  403: "The credential may not do this",
  404: "It was not found",
  408: "The request came too slowly",
  409: "It conflicts with the present state",
  410: "It is no longer there",
  413: "The body is too large",
  415: "The body is of another type",
  422: "A value is wrong",
  429: "Too many requests",
  500: "A fault of the service",
  503: "The service cannot answer now",
};

/** What an operation's error responses depend on. */
export interface Refusing {
  readonly codes: readonly ProblemCode[];
  readonly needsCredential: boolean;
  /** Its credential is not a customer's token; then its query is checked. */
  readonly needsScope: boolean;
  readonly isPost: boolean;
}

/** Returns an operation's error responses by status: each names its possible codes and has an example of each. */
export function errorResponses(refusing: Refusing, schema: unknown): Record<string, DocumentPart> {
  const byStatus = Map.groupBy(new Set(refusing.codes), (one) => PROBLEMS[one][0]);
  const answers = [...byStatus].map(([status, codes]) => {
    const headers = headersOf(status, refusing);
    return [String(status), errorResponse(status, codes, { schema, headers })] as const;
  });
  return Object.fromEntries(answers.sort(([a], [b]) => Number(a) - Number(b)));
}

function errorResponse(
  status: number,
  codes: readonly ProblemCode[],
  { schema, headers }: { readonly schema: unknown; readonly headers: readonly string[] },
): DocumentPart {
  const examples = codes.map((one) => [
    one,
    { value: { errors: [{ status: String(status), title: PROBLEMS[one][1], code: one }] } },
  ]);
  return {
    description: `${PHRASES[status] ?? "A refusal"}: ${codes.map((one) => `\`${one}\``).join(", ")}.`,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
    "x-error-codes": [...codes],
  };
}

/** The statuses that are stored under an Idempotency-Key (program.md 2). They follow the check of the query, so its header may be there too. */
const AFTER_QUERY: ReadonlySet<number> = new Set([400, 404, 409, 422]);

function headersOf(status: number, { needsCredential, needsScope, isPost }: Refusing): readonly string[] {
  if (status === 401) return ["X-Request-Id", "WWW-Authenticate", "RateLimit", "RateLimit-Policy"];
  if (status === 429) return ["X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy"];
  if (status === 503) return ["X-Request-Id", "Retry-After"];
  if (!needsCredential || !AFTER_QUERY.has(status)) return ["X-Request-Id"];
  return [
    "X-Request-Id",
    ...(needsScope ? ["Pointkeeper-Unknown-Parameters"] : []),
    ...(isPost ? ["Idempotent-Replayed"] : []),
  ];
}
