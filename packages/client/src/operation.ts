import type { Operations } from "./generated.ts";
import { type Page, PagedList } from "./pages.ts";
import type { Call, CallOptions, Transport } from "./transport.ts";

/** An id of the store's platform; for a customer also an e-mail address. A number has to be a safe integer; a bigint is exact. */
export type Id = string | number | bigint;

export type OperationName = keyof Operations;
/** The type of `data` in an operation's response. */
export type Data<K extends OperationName> = Operations[K]["answer"] extends { data: infer T } ? T : never;
/** The input of an operation; the id of a customer may also be a bigint. */
export type Body<K extends OperationName> = WithBigInt<Operations[K]["body"]>;
export type Query<K extends OperationName> = Operations[K]["query"];
export type Item<K extends OperationName> = Data<K> extends (infer T)[] ? T : never;

type WithBigInt<T> = { [Name in keyof T]: Name extends "customer_id" ? T[Name] | bigint : T[Name] };

export interface Input<K extends OperationName> {
  readonly ids?: readonly Id[];
  readonly query?: Query<K> | undefined;
  readonly body?: Body<K> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly holdMs?: number;
  readonly hasData?: boolean;
}

/** Calls operations of the OpenAPI document by their names. */
export class OperationCaller {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the complete body of the response. */
  async whole<K extends OperationName>(
    name: K,
    input: Input<K>,
    options?: CallOptions,
  ): Promise<Operations[K]["answer"]> {
    const answer = await this.#transport.json(callOf(name, input), options);
    return answer as Operations[K]["answer"]; // cast: the service's answers have the shapes of its document
  }

  /** Returns `data` of the response. */
  async data<K extends OperationName>(name: K, input: Input<K>, options?: CallOptions): Promise<Data<K>> {
    const answer = await this.#transport.json({ ...callOf(name, input), hasData: true }, options);
    return (answer as { data: Data<K> }).data; // cast: as above
  }

  /** Returns the response with its body unread. */
  stream<K extends OperationName>(name: K, input: Input<K>, options?: CallOptions): Promise<Response> {
    return this.#transport.stream(callOf(name, input), options);
  }

  /** Returns a list that is read while it is iterated, by cursors, or by page numbers if the operation has no cursor. */
  list<K extends OperationName>(name: K, input: Input<K>, options?: CallOptions, byNumber = false): PagedList<Item<K>> {
    return new PagedList(async (position) => {
      const { cursor, page } = position;
      const query = {
        ...input.query,
        ...(cursor === undefined ? {} : { cursor }),
        ...(page === undefined ? {} : { page }),
      };
      const answer = await this.#transport.json({ ...callOf(name, input), query, hasData: true }, options);
      const { data, meta } = answer as Page<Item<K>>; // cast: as above
      return { data, meta: byNumber ? { ...meta, next_cursor: null } : meta };
    });
  }
}

function callOf<K extends OperationName>(
  name: K,
  { ids = [], query, body, headers, holdMs, hasData = false }: Input<K>,
): Call {
  const [method = "", template = ""] = name.split(" ");
  let used = 0;
  const path = template.replaceAll("{}", () => segment(ids[used++]));
  return {
    method,
    path,
    hasData,
    ...(query === undefined ? {} : { query: { ...query } }),
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
    ...(holdMs === undefined ? {} : { holdMs }),
  };
}

/** Returns an id as one segment of a path. Throws TypeError for an empty or inexact id, and for `.` and `..`, which a URL would resolve. */
function segment(id: Id | undefined): string {
  if (typeof id === "number" && !Number.isSafeInteger(id)) throw new TypeError(`id: ${id} is not an exact integer`);
  const text = String(id ?? "");
  if (text === "" || text === "." || text === "..")
    throw new TypeError(`id: expected an id, not ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}
