import { PROBLEMS, type ProblemCode } from "../../problems.ts";
import { type Components, componentName, createComponents, type DocumentPart, named } from "./document-components.ts";
import { errorResponses, errorSchema } from "./document-errors.ts";
import { exampleOf } from "./document-example.ts";
import { ALIASES, COMMON_CODES, derivedOperationId, OPERATIONS, type Operation, TAGS } from "./operations.ts";

const METHODS = ["get", "put", "post", "delete"];
const API = "/api/storefront";

const text = (description: string) => ({ description, schema: { type: "string" } });
const count = (description: string) => ({ description, schema: { type: "integer" } });

/** The headers of answers, by name. */
const HEADERS = {
  Age: count("The maximum age of a replica's answer, in seconds."),
  Allow: text("405: the methods of the path."),
  "Idempotent-Replayed": text("`true`: this is the stored answer of an earlier, identical request."),
  Link: text("Links to the first, previous and next page (RFC 8288)."),
  "Pointkeeper-Unknown-Parameters": text("The query parameters that the endpoint does not know."),
  "Preference-Applied": text("The preference of `Prefer` that was followed (RFC 7240)."),
  RateLimit: text("How many requests remain, and the seconds until the limit resets."),
  "RateLimit-Policy": text("The limit: the number of requests, and the window in seconds."),
  "Retry-After": count("Seconds until another try can succeed."),
  "WWW-Authenticate": text("The scheme of a credential."),
  "X-Request-Id": text("The id of the request: its own, otherwise a new one."),
};

/**
 * Returns the OpenAPI document made from the routes' schemas, completed for readers and generators: names of operations, types and parameters,
 * headers, refusals by status, an example of each body, tags and webhooks. Pure: the schemas that routes validate with are not changed.
 */
export function completeDocument(document: DocumentPart, webhooks: DocumentPart): DocumentPart {
  const components = createComponents();
  const parameters: Record<string, DocumentPart> = {};
  const refusal = named(errorSchema, components);
  const paths = mapOperations(Object(document["paths"]), (operation, method, path) =>
    completeOperation(operation, { method, path, refusal, components, parameters }),
  );
  const hooks = named(webhooks, components);
  const given: DocumentPart = Object(document["components"]);
  return {
    ...document,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: hooks,
    components: {
      ...given,
      schemas: sorted(components.schemas),
      parameters: sorted(parameters),
      responses: { MethodNotAllowed: methodNotAllowed(refusal) },
      headers: HEADERS,
    },
  };
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly refusal: unknown;
  readonly components: Components;
  readonly parameters: Record<string, DocumentPart>;
}

function mapOperations(
  paths: DocumentPart,
  change: (operation: DocumentPart, method: string, path: string) => DocumentPart,
): DocumentPart {
  const mapped = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(Object(item)).map(([method, operation]) => [
      method,
      METHODS.includes(method) ? change(Object(operation), method, path) : operation,
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return Object.fromEntries(mapped);
}

function completeOperation(operation: DocumentPart, place: Place): DocumentPart {
  const key = `${place.method.toUpperCase()} ${place.path}`;
  const own = OPERATIONS[key];
  const id = own?.id ?? derivedOperationId(place.method, place.path);
  const { summary, description, tags, requestBody, responses, parameters, security } = operation;
  const codes = codesOf(own?.codes ?? [], operation, place.method);
  const spoken = [description, aliasText(key)].filter((part) => part !== undefined).join("\n\n");
  return {
    operationId: id,
    summary,
    ...(spoken === "" ? {} : { description: spoken }),
    tags,
    ...(parameters === undefined ? {} : { parameters: sharedParameters(parameters, place) }),
    ...(requestBody === undefined ? {} : { requestBody: body(Object(requestBody), `${id} Request`, place) }),
    responses: {
      ...answers({ ...streamedAnswer(own), ...Object(responses) }, operation, { ...place, id }),
      405: { $ref: "#/components/responses/MethodNotAllowed" },
      ...errorResponses({ codes, ...featuresOf(operation, place.method) }, place.refusal),
    },
    security,
  };
}

function aliasText(key: string): string | undefined {
  const aliases = ALIASES[key];
  return aliases === undefined
    ? undefined
    : `Other spellings of the path work as well: ${aliases.map((path) => `\`${API}${path}\``).join(", ")}.`;
}

interface Features {
  readonly needsCredential: boolean;
  readonly needsScope: boolean;
  readonly isPost: boolean;
}

function featuresOf({ security }: DocumentPart, method: string): Features {
  const needsCredential = Array.isArray(security) && security.length > 0;
  const isOfCustomer = JSON.stringify(security ?? []).includes('"customer"');
  return { needsCredential, needsScope: needsCredential && !isOfCustomer, isPost: method === "post" };
}

/** Returns the error codes with which a route with these features can refuse. */
function codesOf(own: readonly ProblemCode[], { security, requestBody }: DocumentPart, method: string): ProblemCode[] {
  const { needsCredential, needsScope, isPost } = featuresOf({ security }, method);
  return [
    ...own,
    ...COMMON_CODES.every,
    ...(needsCredential ? COMMON_CODES.credential : []),
    ...(needsCredential && !needsScope ? COMMON_CODES.customer : []),
    ...(requestBody !== undefined || isPost ? COMMON_CODES.body : []),
    ...(needsCredential && isPost ? COMMON_CODES.idempotent : []),
  ].sort((a, b) => PROBLEMS[a][0] - PROBLEMS[b][0] || a.localeCompare(b));
}

/** Request headers and paging are the same everywhere, so each is one component. */
function sharedParameters(given: unknown, { parameters, components }: Place): unknown[] {
  return [given].flat().map((one) => {
    const { schema, ...rest } = one as DocumentPart; // cast: a parameter of the document
    const whole = { ...rest, schema: named(schema, components) };
    const name = String(rest["name"]);
    if (rest["in"] === "path") return whole;
    const component = componentName(name);
    const known = parameters[component];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(whole)) return whole;
    parameters[component] = whole;
    return { $ref: `#/components/parameters/${component}` };
  });
}

function answers(
  responses: DocumentPart,
  operation: DocumentPart,
  place: Place & { readonly id: string },
): DocumentPart {
  const { id } = place;
  const names = headersOfAnswers(operation, place.method);
  const kept = Object.entries(responses).filter(([status]) => status !== "default");
  return Object.fromEntries(
    kept.map(([status, answer]) => [status, body(withHeaders(Object(answer), names), `${id} Response`, place)]),
  );
}

function headersOfAnswers({ security, parameters }: DocumentPart, method: string): readonly string[] {
  const { needsCredential } = featuresOf({ security }, method);
  const takesPreference = [parameters].flat().some((one) => Object(one).name === "Prefer");
  return [
    "X-Request-Id",
    ...(takesPreference ? ["Preference-Applied"] : []),
    ...(needsCredential ? ["RateLimit", "RateLimit-Policy"] : []),
    ...(needsCredential && method === "get" ? ["Age"] : []),
  ];
}

function withHeaders(answer: DocumentPart, first: readonly string[]): DocumentPart {
  const names = [...first, ...Object.keys(Object(answer["headers"]))];
  return {
    ...answer,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };
}

function streamedAnswer(own: Operation | undefined): DocumentPart {
  if (own?.streamed === undefined) return {};
  const { type, description, example } = own.streamed;
  const schema = type === "application/json" ? { type: "object" } : { type: "string" };
  return { 200: { description, content: { [type]: { schema, example } } } };
}

/** Returns the bodies of a request or an answer by media type: each a named type with an example. */
function body(given: DocumentPart, title: string, { components }: Place): DocumentPart {
  if (given["content"] === undefined) return given;
  const kinds = Object.entries(Object(given["content"])).map(([type, kind]) => {
    const { schema: given, examples } = kind as DocumentPart; // cast: a media type of the document
    const own: DocumentPart = Object(given);
    const isNamed = typeof own["title"] === "string" || own["type"] === "string";
    const schema = named(isNamed ? own : { title, ...own }, components);
    const example = Object(kind).example ?? exampleOf(schema, components.schemas);
    return [type, { schema, ...(examples === undefined ? { example } : { examples }) }];
  });
  return { ...given, content: Object.fromEntries(kinds) };
}

function methodNotAllowed(schema: unknown): DocumentPart {
  const [status, title] = PROBLEMS.method_not_allowed;
  const example = { errors: [{ status: String(status), title, code: "method_not_allowed" }] };
  const headers = Object.fromEntries(
    ["X-Request-Id", "Allow"].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return { description: "The path has no such method.", headers, content: { "application/json": { schema, example } } };
}

function sorted(entries: Readonly<Record<string, DocumentPart>>): Record<string, DocumentPart> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => a.localeCompare(b)));
}
