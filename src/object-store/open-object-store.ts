import { type Call, createSender, PAGE_BYTES_MAX, type Send } from "./create-sender.ts";
import { type ObjectPlace, type ObjectStoreAccess, objectPlaceText, readFailure, readListing } from "./object-place.ts";
import {
  CONFLICT,
  isAbsent,
  isForbidden,
  NOT_IMPLEMENTED,
  OK,
  PRECONDITION_FAILED,
  type Reply,
} from "./object-reply.ts";
import { ObjectStoreError, TooLongError } from "./object-store-error.ts";

/** An object of a listing; its name is relative to the place. */
export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}

/** Objects below one prefix of a bucket of S3 or a compatible store. Every call is retried for a while. Memory: one object. */
export interface ObjectStore {
  /** `s3://bucket/prefix` */
  readonly place: string;
  /** Stores an object under a new name, completely or not at all. @throws ObjectStoreError, also if another object has the name */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Stores an object, replacing one with the same name. */
  replace(name: string, bytes: Buffer): Promise<void>;
  /** Null: the store says that there is none with this name. @throws ObjectStoreError for one that is longer than `bytesMax` */
  get(name: string, bytesMax: number): Promise<Buffer | null>;
  /** Returns every object whose name begins with `start`. */
  list(start: string): Promise<StoredObject[]>;
  /** Returns the names of objects and folders directly in a folder, `folder/` or "". */
  names(folder: string): Promise<string[]>;
  /** Removes objects; a missing one counts as removed. */
  remove(names: readonly string[]): Promise<void>;
}

const OBJECTS_MAX = 500_000;

/** Opens a place in a bucket. Sends nothing yet. */
export function openObjectStore(place: ObjectPlace, access: ObjectStoreAccess): ObjectStore {
  const send = createSender(place, access);
  const start = place.prefix === "" ? "" : `${place.prefix}/`;
  const shown = objectPlaceText(place);
  const nameOf = (key: string) => key.slice(start.length);
  async function expectOk(call: Call): Promise<Reply> {
    const reply = await send(call);
    if (reply.status >= OK && reply.status < OK + 100) return reply;
    throw refused(`${call.method} ${shown}/${nameOf(call.key)}`, reply);
  }
  async function get(name: string, bytesMax: number): Promise<Buffer | null> {
    const call: Call = { method: "GET", key: start + name, bytesMax };
    const reply = await send(call);
    if (reply.status === OK) return reply.bytes;
    if (isAbsent(reply) || (isForbidden(reply) && (await isUnlisted(name)))) return null;
    throw refused(`GET ${shown}/${name}`, reply);
  }
  /** Whether a listing is allowed and lacks an object. */
  async function isUnlisted(name: string): Promise<boolean> {
    try {
      for await (const { objects } of pages(name)) if (objects.some(({ key }) => key === start + name)) return false;
      return true;
    } catch {
      return false; // the refusal of the object says more
    }
  }
  const pages = (prefix: string, delimiter?: string) => readPages({ expectOk, start, shown }, prefix, delimiter);
  return {
    place: shown,
    get,
    put: (name, bytes) => putNew({ send, get }, { name, key: start + name, shown: `${shown}/${name}` }, bytes),
    async replace(name, bytes) {
      const { hasTag } = await expectOk({ method: "PUT", key: start + name, body: bytes });
      if (!hasTag) throw noStore(`PUT ${shown}/${name}`);
    },
    async list(from) {
      const found: StoredObject[] = [];
      for await (const { objects } of pages(from))
        for (const { key, bytes } of objects) found.push({ name: nameOf(key), bytes });
      return found;
    },
    async names(folder) {
      const found: string[] = [];
      for await (const { objects, folders } of pages(folder, "/"))
        found.push(
          ...[...objects.map(({ key }) => key), ...folders].map((key) =>
            nameOf(key).slice(folder.length).replace(/\/$/, ""),
          ),
        );
      return found.filter((name) => name !== "");
    },
    async remove(names) {
      for (const name of names) {
        const call: Call = { method: "DELETE", key: start + name };
        const reply = await send(call);
        if (reply.status >= OK + 100 && !isAbsent(reply)) throw refused(`DELETE ${shown}/${name}`, reply);
      }
    },
  };
}

/** Reads a listing, page by page. */
async function* readPages(
  { expectOk, start, shown }: { expectOk(call: Call): Promise<Reply>; readonly start: string; readonly shown: string },
  prefix: string,
  delimiter: string | undefined,
) {
  let next: string | null = null;
  let count = 0;
  do {
    const query: Record<string, string> = {
      "list-type": "2",
      prefix: start + prefix,
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(next === null ? {} : { "continuation-token": next }),
    };
    const { bytes } = await expectOk({ method: "GET", key: "", query, bytesMax: PAGE_BYTES_MAX });
    const page = readListing(bytes.toString("utf8"));
    if (page === null || (page.next !== null && page.next === next)) throw noStore(`GET ${shown}/${prefix}`); // the same page for ever
    yield page;
    count += 1 + page.objects.length + page.folders.length; // a page without any counts, too
    if (count > OBJECTS_MAX) throw new ObjectStoreError(`${shown}/${prefix} holds more than ${OBJECTS_MAX} objects.`);
    next = page.next;
  } while (next !== null);
}

/**
 * Stores an object under a new name. A store that supports conditional requests refuses a second object. An existing identical object is our own,
 * from an attempt whose response was lost. Where it cannot be read what is there, nothing is known of it.
 */
async function putNew(
  { send, get }: { readonly send: Send; readonly get: ObjectStore["get"] },
  { name, key, shown }: { readonly name: string; readonly key: string; readonly shown: string },
  bytes: Buffer,
): Promise<void> {
  const call: Call = { method: "PUT", key, body: bytes };
  let reply = await send({ ...call, headers: { "if-none-match": "*" } });
  if (reply.status === NOT_IMPLEMENTED) {
    if ((await compare(get(name, bytes.length), bytes)) !== "none")
      throw new ObjectStoreError(`${shown} is there already.`);
    reply = await send(call);
  }
  if (reply.status === PRECONDITION_FAILED || reply.status === CONFLICT) {
    const found = await compare(get(name, bytes.length), bytes);
    if (found === "same") return;
    if (found === "other") throw new ObjectStoreError(`${shown} is there already, and is another one.`);
  }
  if (reply.status !== OK) throw refused(`PUT ${shown}`, reply);
  if (!reply.hasTag) throw noStore(`PUT ${shown}`);
}

/** Compares the object of a name, read for as many bytes as `bytes` has, with `bytes`. */
async function compare(reading: Promise<Buffer | null>, bytes: Buffer): Promise<"none" | "same" | "other"> {
  try {
    const found = await reading;
    if (found === null) return "none";
    return found.equals(bytes) ? "same" : "other";
  } catch (error) {
    if (error instanceof TooLongError) return "other";
    throw error;
  }
}

/** The error for a success that no object store sends: nothing was stored, or nothing is known of what is there. */
function noStore(what: string): ObjectStoreError {
  return new ObjectStoreError(
    `${what} was answered by something that is no object store: check AWS_ENDPOINT_URL, and any proxy before the store`,
  );
}

function refused(what: string, { status, bytes }: Reply): ObjectStoreError {
  const said = readFailure(bytes.toString("utf8"));
  return new ObjectStoreError(`${what} was answered ${status}${said === "" ? "" : `, ${said}`}`);
}
