/** A body of the platform before it is text. Ids are bigint, so that they can have any number of digits as a JSON number. */
export type Body = { readonly [name: string]: BodyValue };
export type BodyValue = null | boolean | number | string | bigint | readonly BodyValue[] | Body;

/** One delivery of the platform: its topic and the text of its body, which is signed. */
export interface Message {
  readonly topic: string;
  readonly body: string;
}

export function message(topic: string, body: Body): Message {
  return { topic, body: writeJson(body) };
}

/** Returns JSON text, with bigints as plain digits, which JSON.stringify refuses. */
export function writeJson(value: BodyValue): string {
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(",")}]`;
  return `{${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}:${writeJson(field)}`)
    .join(",")}}`;
}

function isList(value: BodyValue): value is readonly BodyValue[] {
  return Array.isArray(value);
}
