import { hash } from "node:crypto";
import { formatInstant } from "../../time/store-time.ts";
import type { Allotment } from "../posting.ts";

/** Bytes of the hash that a balance stores as the head of its chain. */
export const HEAD_BYTES = 16;
const LINK_BYTES = 8;
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const FACTS_AT = BLOCK_BYTES + HEAD_BYTES;
/** Large enough for most facts. */
const MESSAGE_BYTES = 4_096;
const DIGEST_BYTES = 16;
export const NOTE_SALT_BYTES = 16;

/** The head to which a customer's first allotment is linked. */
export const CHAIN_START: Buffer = Buffer.alloc(HEAD_BYTES);

/** One step of a chain: the next step is linked to `head`; `link` is stored with the allotment. They share no byte of the hash. */
export interface ChainStep {
  readonly head: Buffer;
  readonly link: bigint;
}

/** Links the facts of an allotment (a string, or its UTF-8 bytes) to the previous head. */
export type ChainHash = (previousHead: Uint8Array, facts: string | Uint8Array) => ChainStep;

/** Advances one of many heads (the one at byte `at` of `heads`) by an allotment's facts, without allocating: for a pass over the whole ledger. */
export type ChainAdvance = (heads: Buffer, at: number, facts: Uint8Array) => void;

/** Returns the hash of a chain: HMAC-SHA-256 with a key of 32 bytes. */
export function createChainHash(key: Uint8Array): ChainHash {
  const macOf = createMac(key);
  return (previousHead, facts) => {
    const mac = Buffer.from(macOf(previousHead, 0, facts), "latin1");
    return { head: mac.subarray(0, HEAD_BYTES), link: mac.readBigInt64BE(HASH_BYTES - LINK_BYTES) };
  };
}

/** `createChainHash` for heads that are stored one after the other in a buffer. */
export function createChainAdvance(key: Uint8Array): ChainAdvance {
  const macOf = createMac(key);
  return (heads, at, facts) => {
    heads.write(macOf(heads, at, facts), at, HEAD_BYTES, "latin1");
  };
}

/**
 * Returns a function that computes the MAC of the head at byte `at` and of the facts, as a string with one character per byte. Two one-shot
 * hashes take a third of the time of an Hmac object, and results are fastest as strings.
 */
function createMac(key: Uint8Array): (heads: Uint8Array, at: number, facts: string | Uint8Array) => string {
  const inner = Buffer.alloc(MESSAGE_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);
  key.forEach((byte, i) => {
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  });
  return (heads, at, facts) => {
    const bytesMax = typeof facts === "string" ? facts.length * 3 : facts.length;
    const isLong = FACTS_AT + bytesMax > MESSAGE_BYTES;
    const message = isLong ? Buffer.alloc(FACTS_AT + bytesMax) : inner; // written anew each time: nothing here waits
    if (isLong) inner.copy(message, 0, 0, BLOCK_BYTES);
    for (let i = 0; i < HEAD_BYTES; i++) message[BLOCK_BYTES + i] = heads[at + i] ?? 0;
    if (typeof facts !== "string") message.set(facts, FACTS_AT);
    const end = FACTS_AT + (typeof facts === "string" ? message.write(facts, FACTS_AT, "utf8") : facts.length);
    outer.write(hash("sha256", message.subarray(0, end), "binary"), BLOCK_BYTES, "latin1");
    return hash("sha256", outer, "binary");
  };
}

/**
 * Returns the canonical text of an allotment's facts, a JSON array of every column except the link. Chains link this text, and checkpoints
 * use it as leaves. The allotment's own dates come at the end, and only if it has any, so the text of all others never changed.
 */
export function factsText(
  a: Allotment,
  {
    customerUid,
    programVersion,
    noteDigest: digest,
  }: { readonly customerUid: string; readonly programVersion: number; readonly noteDigest: Buffer | null },
): string {
  const p = a.posting;
  return (
    `["allotment","${customerUid}",${a.version},"${p.uid}","${formatInstant(a.allottedAt)}",${JSON.stringify(p.type)},` +
    `${a.pointValue},${a.balanceAfter},${JSON.stringify(p.sourceKey)},${JSON.stringify(p.object)},${JSON.stringify(p.parent)},` +
    `${JSON.stringify(p.action)},${JSON.stringify(p.appReference)},${p.cascade},${JSON.stringify(p.origin)},` +
    `${JSON.stringify(p.reasonType)},${a.extends},${programVersion},${digest === null ? "null" : `"${digest.toString("hex")}"`}` +
    `${datesText(p)}]`
  );
}

function datesText({ expiresAt, earnedAt = null }: Allotment["posting"]): string {
  if (expiresAt === null && earnedAt === null) return "";
  const text = (at: Temporal.Instant | null) => (at === null ? "null" : `"${formatInstant(at)}"`);
  return `,${text(expiresAt)},${text(earnedAt)}`;
}

const textOf = (column: string) => `coalesce(to_json(${column})::text, 'null')`;
const timeOf = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** `factsText` as SQL over `allotment a`. */
export const FACTS_SQL = `'["allotment","' || a.customer_uid || '",' || a.version || ',"' || a.uid || '","' || ${timeOf("a.allotted_at")}
    || '",' || to_json(a.type)::text || ',' || a.point_value || ',' || a.balance_after || ',' || to_json(a.source_key)::text || ','
    || ${textOf("a.object")} || ',' || ${textOf("a.parent")} || ',' || ${textOf("a.action")} || ',' || to_json(a.app_reference)::text || ','
    || coalesce(a.cascade::text, 'null') || ',' || ${textOf("a.origin")} || ',' || ${textOf("a.reason_type")} || ',' || a.extends::text || ','
    || a.program_version || ',' || coalesce('"' || encode(a.note_digest, 'hex') || '"', 'null')
    || case when a.expires_at is null and a.earned_at is null then ''
      else ',' || coalesce('"' || ${timeOf("a.expires_at")} || '"', 'null') || ',' || coalesce('"' || ${timeOf("a.earned_at")} || '"', 'null')
    end || ']'`;

/** Returns the digest that represents a note and its author in the facts. It stays when they are erased, and reveals nothing without the salt. */
export function noteDigest(salt: Buffer, note: string | null, actor: string | null): Buffer {
  const text = Buffer.from(JSON.stringify([note, actor]), "utf8");
  return hash("sha256", Buffer.concat([salt, text]), "buffer").subarray(0, DIGEST_BYTES);
}

/** `noteDigest` as SQL over `allotment_note n`. */
export const NOTE_DIGEST_SQL = `substr(sha256(n.salt || convert_to('[' || ${textOf("n.note")} || ',' || ${textOf("n.actor")} || ']', 'UTF8')),
  1, ${DIGEST_BYTES})`;
