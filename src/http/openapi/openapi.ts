import { STATUS_CODES } from "node:http";
import swagger from "@fastify/swagger";
import type { FastifyContextConfig, FastifySchema, RouteOptions } from "fastify";
import type { App } from "../app-type.ts";
import { toDocumentForm } from "../nullable.ts";
import { completeDocument } from "./complete-document.ts";
import { withCustomerIdField } from "./customer-id-field.ts";
import type { DocumentPart } from "./document-components.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A schema for the document, of a body that the route validates itself. */
    documentedBody?: object;
    /** Schemas for the document, by name, of request headers that the route reads itself. */
    documentedHeaders?: Readonly<Record<string, object>>;
    /** Whether the document says that a POST is refused without `Idempotency-Key`; the route refuses it. */
    needsKey?: boolean;
  }
}

/** The prefixes of the documented routes; the same routes under the platform's name are left out. */
const DOCUMENTED_APIS = ["/api/storefront/", "/api/customer/"];

const DESCRIPTION = `Points, tiers and webhooks of one store.

Every route except the open ones takes \`Authorization: Basic base64(key:secret)\` or \`Bearer <secret>\`. Every POST takes an
\`Idempotency-Key\`: the same key and request within 24 hours gets the same answer again. A customer is named by storefront id or
by e-mail. Errors are \`{"errors": [{"status", "title", "code"}]}\`, where programs compare the code; with \`x-api-version: 2.0.0\` they have the newer shape, and unknown
query parameters are refused; otherwise a header names them. Answers over 1 kB are compressed with gzip for clients that accept it.`;

const text = (description: string) => ({ type: "string", description });

export interface Described {
  readonly webhooks: DocumentPart;
  /** The field with the customer's id in payloads of events. */
  readonly customerIdField: string;
}

/** Collects the routes registered after it into an OpenAPI 3.1 document, served at `/openapi.json`. */
export function registerOpenapi(app: App, { webhooks, customerIdField }: Described): void {
  const complete = (document: DocumentPart) =>
    withCustomerIdField(completeDocument(document, webhooks), customerIdField);
  app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Pointkeeper",
        version: "1.0.0",
        description: DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
        contact: { name: "The operator of this installation" },
      },
      servers: [{ url: "/", description: "This installation" }],
      components: {
        securitySchemes: {
          basic: { type: "http", scheme: "basic", description: "Key and secret of a credential." },
          bearer: { type: "http", scheme: "bearer", description: "The secret of a credential alone." },
          customer: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "A token of one customer, signed by the store's server with a storefront key.",
          },
          delivery: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "For webhooks: a token signed with the store's API secret key.",
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ url, schema: documented(schema, url, route) }),
    transformObject: (made) => Object("openapiObject" in made ? complete(Object(made.openapiObject)) : {}),
  });
  app.register((scope, _options, done) => {
    let document: Buffer | undefined; // anybody may ask for it: it is made once, and shared by all answers
    scope.get("/openapi.json", { config: { open: true }, schema: { hide: true } }, (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(scope.swagger(), null, 2));
      return reply.header("content-type", "application/json; charset=utf-8").send(document);
    });
    done();
  });
}

function securityOf(scope: string | undefined, customer: string | undefined): readonly Record<string, string[]>[] {
  if (customer !== undefined) return [{ customer: [] }];
  return scope === undefined ? [] : [{ basic: [] }, { bearer: [] }];
}

function descriptionOf({ summary, description }: FastifySchema, scope: string | undefined): string {
  const needed = scope === undefined ? "" : ` The credential needs the scope \`${scope}\`.`;
  return `${description ?? `${summary}.`}${needed}`;
}

function documented(schema: FastifySchema | undefined, url: string, route: RouteOptions): FastifySchema {
  const isOtherPrefix = url.startsWith("/api/") && !DOCUMENTED_APIS.some((prefix) => url.startsWith(prefix));
  if (isOtherPrefix || schema === undefined) return { ...schema, hide: true };
  const { scope, customer, documentedBody, documentedHeaders, needsKey = false } = route.config ?? {};
  const isPost = [route.method].flat().includes("POST");
  const { body: checkedBody, params, querystring, response, ...rest } = schema;
  const body = documentedBody ?? checkedBody;
  const parts = Object.entries({ body, params, querystring }).filter(([, part]) => part !== undefined);
  return {
    ...rest,
    description: descriptionOf(rest, scope),
    ...Object.fromEntries(parts.map(([name, part]) => [name, toDocumentForm(part)])),
    security: securityOf(scope, customer),
    ...(scope === undefined && customer === undefined
      ? {}
      : { headers: { ...requestHeaders(isPost, documentedHeaders), required: needsKey ? ["Idempotency-Key"] : [] } }),
    response: {
      ...describedAnswers(response, answerHeaders(route.config ?? {}, isPost, querystring)),
    },
  };
}

/** Gives a response without a description the HTTP name of its status. */
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

/** Only routes with a scope check the query. A customer's POST is stored under a key where it needs one. */
function answerHeaders(
  { scope, customer, needsKey = false }: FastifyContextConfig,
  isPost: boolean,
  querystring: unknown,
): object {
  const { properties } = Object(querystring);
  const isStored = isPost && (scope !== undefined || (customer !== undefined && needsKey));
  return {
    ...(scope === undefined
      ? {}
      : { "Pointkeeper-Unknown-Parameters": text("The query parameters that the endpoint does not know.") }),
    ...(isStored
      ? { "Idempotent-Replayed": text("`true`: this is the stored answer of an earlier, identical request.") }
      : {}),
    ...(scope !== undefined && Object.hasOwn(Object(properties), "page")
      ? { Link: text("Links to the first, previous and next page (RFC 8288).") }
      : {}),
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
