import type { Dice } from "../../demo/season/dice.ts";
import { boundaryValue, type KnownValues, oddValue, type ValueSchema } from "./boundary-values.ts";
import type { ServedRoute } from "./served-routes.ts";

export interface BoundaryRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const BODILESS = ["GET", "OPTIONS"];
const ODD_NAMES = ["unknown", "__proto__", "constructor", "", "a.b", "a[]", "\u0000", "n".repeat(1_000), "ID", "0"];
const ODD_BODIES = [
  ...[
    "",
    "null",
    "[]",
    "{",
    '"x"',
    "1e400",
    '{"a":1,"a":2}',
    "\ufeff{}",
    '{"a":"\\ud800"}',
    "a=1&b=2",
    "id,points\n1,1\n",
  ],
  ...["[".repeat(100) + "]".repeat(100), `{"a":${"9".repeat(400)}}`, `[${"1,".repeat(20_001)}1]`, '{"toString":1}'],
];
const ODD_QUERIES = [
  "%zz",
  "a[]=1&a[b]=2",
  "=&&=",
  "a=%ED%A0%80",
  "%00=1",
  "__proto__=1&__proto__=2",
  "x".repeat(8_000),
];
const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  ...["text/plain", "text/csv", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"].map(
    (type) => ({ "content-type": type }),
  ),
  ...["text/html", "*/*;q=x", "\xff"].map((accept) => ({ accept })),
  ...["bytes=9-1", "bytes=0-", "x=1"].map((range) => ({ range })),
  { "accept-language": "ja;q=9,,*-" },
  { "x-forwarded-for": "a, b, 999.1.1.1" },
  { "if-none-match": '"x", W/"y", *' },
  { "if-modified-since": "Thu, 32 Foo 0000 99:99:99 GMT" },
  { "x-api-version": "2.0.0" },
  { "x-request-id": "x".repeat(300) },
];

/** Makes a request of values that its route accepts, or nearly: up to two places are changed into something odd. */
export function boundaryRequest(route: ServedRoute, dice: Dice, known: KnownValues): BoundaryRequest {
  const fields = (of: ValueSchema): object => Object(boundaryValue({ type: "object", ...of }, dice, known));
  let [path, query, headers] = [fields(route.path), fields(route.query), fields(route.headers)];
  let body = bodyOf(route, dice, known);
  for (let n = dice.below(3); n > 0; n--) {
    const part = dice.pick(["path", "query", "headers", "body", "body", "body"]);
    if (part === "path") path = alteredFields(path, dice);
    else if (part === "headers") headers = alteredFields(headers, dice);
    else if (part === "query" || body === undefined) query = alteredFields(query, dice);
    else body = altered(body, dice);
  }
  const search = [queryOf(query), dice.chance(0.04) ? dice.pick(ODD_QUERIES) : ""]
    .filter((part) => part !== "")
    .join("&");
  const text = dice.chance(route.body === undefined ? 0.3 : 0.04) ? dice.pick(ODD_BODIES) : JSON.stringify(body);
  const sent = BODILESS.includes(route.method) ? undefined : text;
  return {
    method: route.method,
    path: `${pathOf(route.url, path)}${search === "" ? "" : `?${search}`}`,
    headers: {
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...headersOf(headers),
      ...(dice.chance(0.1) ? dice.pick(ODD_HEADERS) : {}),
    },
    body: sent,
  };
}

function bodyOf({ body, examples }: ServedRoute, dice: Dice, known: KnownValues): unknown {
  if (body === undefined) return undefined;
  return examples.length > 0 && dice.chance(0.4) ? dice.pick(examples) : boundaryValue(body, dice, known);
}

/** Returns the value with one place, at any depth, replaced by an odd value, or with an unknown field. */
function altered(value: unknown, dice: Dice): unknown {
  if (typeof value !== "object" || value === null || dice.chance(0.1)) return oddValue(dice);
  if (!Array.isArray(value)) return alteredFields(value, dice);
  const at = dice.below(Math.max(1, value.length));
  return value.length === 0 ? oddValue(dice) : value.with(at, altered(value[at], dice));
}

function alteredFields(value: object, dice: Dice): object {
  const names = Object.keys(value);
  const name = names.length === 0 || dice.chance(0.15) ? dice.pick(ODD_NAMES) : dice.pick(names);
  return { ...value, [name]: altered(Reflect.get(value, name), dice) };
}

function pathOf(url: string, values: object): string {
  return url.replaceAll(/:(\w+)|\*/g, (_, name = "*") => percent(textOf(Reflect.get(values, name))));
}

/** The fields of a list's elements are sent under the same name. */
function queryOf(values: object): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((each) => [name, each] as const))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${percent(name)}=${percent(textOf(value))}`)
    .join("&");
}

/** Without values that no HTTP client can send. */
function headersOf(values: object): Record<string, string> {
  const texts = Object.entries(values).map(([name, value]) => [name, textOf(value)] as const);
  return Object.fromEntries(texts.filter(([name, text]) => /^[\w-]+$/.test(name) && /^[ -~]+$/.test(text)));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A lone surrogate has no UTF-8: its three bytes are sent as some programs write them. */
function percent(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}
