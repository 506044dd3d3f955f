import { crc32, inflateSync } from "node:zlib";
import { LOGO_MAX_PIXELS } from "../../wire/theme.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The chunks of the picture. All others are removed: texts, places, animations, bytes after the end. */
const KEPT = ["IHDR", "PLTE", "tRNS", "sRGB", "gAMA", "IDAT", "IEND"];
/** The number of channels for each colour type of the header. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const HEADER_BYTES = 13;
const EXPECTED = "expected a PNG picture";

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/**
 * Returns a PNG file with the picture only: each chunk's checksum is correct, the pixels unpack to the size in the header, and everything else is
 * removed. Otherwise returns what is wrong with the file.
 */
export function cleanPng(file: Buffer): { readonly png: Buffer } | { readonly detail: string } {
  const chunks = readChunks(file);
  if (chunks === null) return { detail: EXPECTED };
  const header = chunks[0]?.data;
  if (chunks[0]?.type !== "IHDR" || header?.length !== HEADER_BYTES || chunks.at(-1)?.type !== "IEND")
    return { detail: EXPECTED };
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (width === 0 || height === 0 || width > LOGO_MAX_PIXELS || height > LOGO_MAX_PIXELS)
    return { detail: `expected a picture of at most ${LOGO_MAX_PIXELS} by ${LOGO_MAX_PIXELS} pixels` };
  if (!hasPixels(header, chunks, { width, height })) return { detail: EXPECTED };
  return { png: Buffer.concat([SIGNATURE, ...chunks.map(bytesOf)]) };
}

/** Returns the kept chunks up to the end; null: it is not a PNG, or a chunk is damaged. */
function readChunks(file: Buffer): Chunk[] | null {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null;
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length) return null;
    const type = file.toString("latin1", at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return null;
    if (KEPT.includes(type)) chunks.push({ type, data: file.subarray(at + 8, end) });
    if (type === "IEND") return chunks;
    at = end + 4;
  }
  return null;
}

/** Whether the picture is not interlaced and its data unpacks to exactly its lines, so that a small file cannot be a very large picture. */
function hasPixels(
  header: Buffer,
  chunks: readonly Chunk[],
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  const [depth = 0, colorType = 0, , , interlace] = header.subarray(8);
  const channels = CHANNELS[colorType];
  if (interlace !== 0 || channels === undefined || ![1, 2, 4, 8, 16].includes(depth)) return false;
  const length = (Math.ceil((width * channels * depth) / 8) + 1) * height;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  try {
    return inflateSync(packed, { maxOutputLength: length + 1 }).length === length;
  } catch {
    return false;
  }
}

function bytesOf({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const bytes = Buffer.alloc(named.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  named.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(named), named.length + 4);
  return bytes;
}
