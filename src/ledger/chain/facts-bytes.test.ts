import fc from "fast-check";
import { expect, test } from "vitest";
import type { BinaryRow } from "../../db/binary-row.ts";
import { plainPosting } from "../posting.ts";
import { factsText } from "./chain.ts";
import { FACTS_COLUMNS, factsBytesMax, putFacts } from "./facts-bytes.ts";

const EPOCH_US = BigInt(Date.UTC(2000)) * 1_000n;
/** Doubles hold these exactly, and so do the times of the years 1715 to 2285. */
const LARGEST = 2n ** 53n - 1n;

/** Numbers of every length, and those beside powers of 2 and 10. */
const whole = (min: bigint) =>
  fc
    .oneof(
      fc.bigInt({ min, max: LARGEST }),
      fc.bigInt({ min: min < 0n ? -99_999n : min, max: 99_999n }),
      fc
        .tuple(fc.constantFrom(2n, 10n), fc.bigInt({ min: 0n, max: 53n }), fc.bigInt({ min: -1n, max: 1n }))
        .map(([base, power, more]) => base ** power + more),
    )
    .filter((value) => value >= min && value <= LARGEST);

const time = whole(-LARGEST).map((us) => new Temporal.Instant((us + EPOCH_US) * 1_000n));
const text = fc.string({ unit: "binary", maxLength: 30 }).map((value) => value.toWellFormed().replaceAll("\0", ""));
const uuid = fc.uuid();

const facts = fc.record({
  customerUid: uuid,
  uid: uuid,
  version: whole(1n),
  pointValue: whole(-LARGEST),
  balanceAfter: whole(0n),
  allottedAt: time,
  sourceKey: text,
  object: fc.option(text),
  appReference: text,
  cascade: fc.option(fc.boolean()),
  extends: fc.boolean(),
  programVersion: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  noteDigest: fc.option(fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes))),
  expiresAt: fc.option(time),
  earnedAt: fc.option(time),
});

type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

function bigint(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

const timeBytes = (at: Temporal.Instant | null) =>
  at === null ? null : bigint(at.epochNanoseconds / 1_000n - EPOCH_US);
const uuidBytes = (uid: string) => Buffer.from(uid.replaceAll("-", ""), "hex");
const textBytes = (value: string | null) => (value === null ? null : Buffer.from(value));
const flagBytes = (flag: boolean | null) => (flag === null ? null : Buffer.of(Number(flag)));

/** The row as COPY sends it, at some place of a larger buffer. */
function rowOf(f: Facts): BinaryRow {
  const programVersion = Buffer.alloc(4);
  programVersion.writeInt32BE(f.programVersion);
  const values: Record<(typeof FACTS_COLUMNS)[number], Buffer | null> = {
    ...{ customer_uid: uuidBytes(f.customerUid), version: bigint(f.version), uid: uuidBytes(f.uid) },
    ...{ allotted_at: timeBytes(f.allottedAt), type: Buffer.from("api"), point_value: bigint(f.pointValue) },
    ...{ balance_after: bigint(f.balanceAfter), source_key: textBytes(f.sourceKey), object: textBytes(f.object) },
    ...{ parent: null, action: null, app_reference: textBytes(f.appReference), cascade: flagBytes(f.cascade) },
    ...{ origin: null, reason_type: null, extends: flagBytes(f.extends), program_version: programVersion },
    ...{ note_digest: f.noteDigest, expires_at: timeBytes(f.expiresAt), earned_at: timeBytes(f.earnedAt) },
  };
  const parts = FACTS_COLUMNS.map((name) => values[name]);
  const lengths = parts.map((part) => part?.length ?? -1);
  const starts = lengths.map((_, i) => lengths.slice(0, i).reduce((sum, length) => sum + Math.max(0, length), 5));
  const bytes = Buffer.concat([Buffer.alloc(5, 0xff), ...parts.filter((part) => part !== null)]);
  return { bytes, starts: Int32Array.from(starts), lengths: Int32Array.from(lengths) };
}

test("the facts of a binary row are the text that chains link, wherever they are written", () => {
  fc.assert(
    fc.property(facts, fc.integer({ min: 0, max: 9 }), (f, from) => {
      const { uid, sourceKey, object, cascade, expiresAt, earnedAt, customerUid, programVersion, noteDigest } = f;
      const change = { kind: "add", pointValue: 0n, shortfall: "refuse" } as const;
      const plain = plainPosting(uid, "api", f.appReference, change);
      const posting = { ...plain, sourceKey, object, cascade, expiresAt, earnedAt };
      const row = rowOf(f);
      const out = { bytes: Buffer.alloc(from + factsBytesMax(row)), at: from };
      expect(putFacts(out, row)).toBe(true);
      const expected = factsText({ ...f, posting }, { customerUid, programVersion, noteDigest });
      expect(out.bytes.toString("utf8", from, out.at)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test("a number or a time that a double does not hold is left to the SQL", () => {
  const [f] = fc.sample(facts, 1);
  if (f === undefined) throw new Error("there is no sample");
  const late = new Temporal.Instant((LARGEST + 1n + EPOCH_US) * 1_000n);
  for (const odd of [
    { version: LARGEST + 1n },
    { pointValue: -LARGEST - 1n },
    { earnedAt: late },
    { allottedAt: late },
  ]) {
    const row = rowOf({ ...f, ...odd });
    const out = { bytes: Buffer.alloc(factsBytesMax(row)), at: 0 };
    expect(putFacts(out, row)).toBe(false);
    expect(out.at).toBe(0);
  }
});
