import { STATUS_CODES } from "node:http";
import swagger from "@fastify/swagger";
import type { FastifySchema, RouteOptions } from "fastify";
import type { App } from "./app-type.ts";
import { toDocumentForm } from "./nullable.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A schema that tells readers of a body that the route checks by itself. */
    documentedBody?: object;
    /** Schemas that tell readers of request headers that the route reads by itself, by name. */
    documentedHeaders?: Readonly<Record<string, object>>;
  }
}

/** The prefix whose routes the document tells of; the same routes under the platform's name are left out. */
const DOCUMENTED_API = "/api/storefront";

const DESCRIPTION = `Points, tiers and webhooks of one store.

Every route but the open ones takes \`Authorization: Basic base64(key:secret)\` or \`Bearer <secret>\`. Every POST takes an
\`Idempotency-Key\`: the same key and request within 24 hours gets the same answer again. A customer is named by storefront id or
by e-mail. Errors are \`{"errors": [{"status", "title", "code"}]}\`; with \`x-api-version: 2.0.0\` they have the newer shape, and unknown
query parameters are refused, which else are named in a header. Answers over 1 kB come in gzip to whoever takes it.`;

const details = {
  detail: { type: "string", description: "What was expected, or what to do." },
  source: {
    type: "object",
    description: "Where: a JSON pointer into the body, or the name of a parameter.",
    properties: { pointer: { type: "string" }, parameter: { type: "string" } },
  },
};

const code = {
  type: "string",
  description: "What was refused, for programs: a name that does not change (docs/errors.md lists them).",
};

const requestId = {
  type: "string",
  description: "Where the request brought an `X-Request-Id`, and with status 500 and above: the id of the request.",
};

/** The shapes of refusals: the documented one, and the newer one of `x-api-version: 2.0.0`. */
const errorSchema = {
  anyOf: [
    {
      title: "Errors",
      type: "object",
      required: ["errors"],
      properties: {
        errors: {
          type: "array",
          items: {
            type: "object",
            required: ["status", "title", "code"],
            properties: {
              status: { type: "string", description: "The HTTP status." },
              title: { type: "string", description: "What was refused." },
              code,
              ...details,
            },
          },
        },
        request_id: requestId,
      },
      examples: [{ errors: [{ status: "404", title: "Customer was not found", code: "customer_not_found" }] }],
    },
    {
      title: "Errors, version 2.0.0",
      type: "object",
      required: ["status", "title", "errors"],
      properties: {
        status: { type: "integer", description: "The HTTP status." },
        title: { type: "string", description: "What was refused." },
        errors: {
          type: "array",
          items: {
            type: "object",
            required: ["title", "code"],
            properties: { title: { type: "string" }, code, ...details },
          },
        },
        request_id: requestId,
      },
      examples: [
        {
          status: 404,
          title: "Customer was not found",
          errors: [{ title: "Customer was not found", code: "customer_not_found" }],
        },
      ],
    },
  ],
};

const text = (description: string) => ({ type: "string", description });

const refusalHeaders = {
  "Retry-After": text("429, 503: seconds until another try can succeed."),
  "WWW-Authenticate": text("401: the scheme."),
  Allow: text("405: the methods of the path."),
};

/** Collects the routes registered after it into an OpenAPI 3.1 document, served at `/openapi.json`. */
export function registerOpenapi(app: App): void {
  app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Pointkeeper",
        version: "1.0.0",
        description: DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/", description: "This installation" }],
      components: {
        securitySchemes: {
          basic: { type: "http", scheme: "basic", description: "Key and secret of a credential." },
          bearer: { type: "http", scheme: "bearer", description: "The secret of a credential alone." },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? json["title"] ?? `schema-${i}`),
    },
    transform: ({ schema, url, route }) => ({ url, schema: documented(schema, url, route) }),
  });
  app.register((scope, _options, done) => {
    scope.get("/openapi.json", { config: { open: true }, schema: { hide: true } }, (_request, reply) =>
      reply.header("content-type", "application/json; charset=utf-8").send(JSON.stringify(scope.swagger(), null, 2)),
    );
    done();
  });
}

function documented(schema: FastifySchema | undefined, url: string, route: RouteOptions): FastifySchema {
  const isOtherPrefix = url.startsWith("/api/") && !url.startsWith(`${DOCUMENTED_API}/`);
  if (isOtherPrefix || schema === undefined) return { ...schema, hide: true };
  const { scope, documentedBody, documentedHeaders } = route.config ?? {};
  const isPost = [route.method].flat().includes("POST");
  const { body: checkedBody, params, querystring, response, ...rest } = schema;
  const body = documentedBody ?? checkedBody;
  const parts = Object.entries({ body, params, querystring }).filter(([, part]) => part !== undefined);
  return {
    ...rest,
    ...Object.fromEntries(parts.map(([name, part]) => [name, toDocumentForm(part)])),
    ...(scope === undefined ? { security: [] } : { security: [{ basic: [] }, { bearer: [] }] }),
    ...(scope === undefined ? {} : { headers: requestHeaders(isPost, documentedHeaders) }),
    response: {
      ...describedAnswers(response, scope === undefined ? {} : answerHeaders(isPost, querystring)),
      default: { description: "A refusal", headers: refusalHeaders, ...errorSchema },
    },
  };
}

/** A response without a description gets the HTTP name of its status. */
function describedAnswers(response: unknown, headers: object): Record<string, unknown> {
  const answers = Object.entries(Object(toDocumentForm(response)));
  const withHeaders = Object.keys(headers).length === 0 ? {} : { headers };
  return Object.fromEntries(
    answers.map(([status, answer]) => [
      status,
      { description: STATUS_CODES[status] ?? "An answer", ...withHeaders, ...Object(answer) },
    ]),
  );
}

function answerHeaders(isPost: boolean, querystring: unknown): object {
  const { properties } = Object(querystring);
  const isList = Object.hasOwn(Object(properties), "page");
  return {
    "Pointkeeper-Unknown-Parameters": text("Query parameters that the route does not know."),
    ...(isPost ? { "Idempotent-Replayed": text("`true`: the stored answer of the same request before.") } : {}),
    ...(isList ? { Link: text("Addresses of the first, previous and next page (RFC 8288).") } : {}),
  };
}

function requestHeaders(isPost: boolean, more: Readonly<Record<string, object>> = {}): object {
  return {
    type: "object",
    properties: {
      "x-api-version": versionHeader,
      ...(isPost ? { "Idempotency-Key": idempotencyHeader } : {}),
      ...more,
    },
  };
}

const versionHeader = {
  type: "string",
  description:
    "`2.0.0`: the newer shape of errors, and unknown query parameters are refused. Anything else: the documented one.",
  examples: ["2.0.0"],
};

const idempotencyHeader = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  description: "The same key and request within 24 hours gets the same answer again.",
  examples: ["9d1c4a0e-order-1001"],
};
