import { isAscii } from "node:buffer";
import type { Encoding } from "../../wire/import-fields.ts";
import { probeWestern } from "./western-text.ts";

/** Examines the bytes of a file as they pass through. */
export interface EncodingProbe {
  add(bytes: Uint8Array): void;
  /**
   * By the byte order mark; otherwise UTF-16 if every other byte of Latin letters and signs is zero, or UTF-8 if every byte fits; otherwise Windows-1252 or Shift_JIS (as Windows writes it), whichever the bytes look
   * like. UTF-8 if they look like neither: then reading the file fails, with the line.
   */
  encoding(): Encoding;
  /** The approximate number of line ends so far. */
  lineCount(): number;
}

const LF = 10;
const CR = 13;
const ASCII_MAX = 0x7f;
/** How many bytes are examined for zeros. */
const ZEROS_SAMPLE = 65_536;
/** In UTF-16 without a byte order mark, at least this part of the bytes is zero: those of separators, line ends, digits and Latin letters. */
const ZEROS_PART = 1 / 20;
/** And at least this many times as many at one of both places: letters of East Asia have few zeros at the other one. */
const ZEROS_SKEW = 3;

export function probeEncoding(): EncodingProbe {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const shiftJis = new TextDecoder("shift_jis", { fatal: true });
  const western = probeWestern();
  let mark: Encoding | null = null;
  /** Zero bytes at even and at odd places of the sample. */
  const zeros: [even: number, odd: number] = [0, 0];
  let seen = 0;
  let before = 0;
  let isUtf8 = true;
  let isShiftJis = true;
  let feeds = 0;
  let returns = 0;

  function legacyEncoding(): Encoding {
    if (western.isAccented() || (!isShiftJis && western.isWestern())) return "windows-1252";
    return isShiftJis && !western.isBetweenLetters() ? "shift_jis" : "utf-8";
  }

  return {
    add(bytes) {
      if (seen === 0) mark = encodingOfMark(bytes);
      countZeros(zeros, bytes.subarray(0, Math.max(0, ZEROS_SAMPLE - seen)), seen);
      seen += bytes.length;
      feeds += countOf(bytes, LF);
      returns += countOf(bytes, CR);
      if (isUtf8) isUtf8 = fits(utf8, bytes);
      // A piece of ASCII says nothing about the legacy encodings, and is recognized much faster than it is decoded.
      if (before > ASCII_MAX || !isAscii(bytes)) {
        if (isShiftJis) isShiftJis = fits(shiftJis, bytes);
        western.add(bytes, before);
      }
      before = bytes.at(-1) ?? before;
    },
    encoding: () => mark ?? wideEncoding(zeros, Math.min(seen, ZEROS_SAMPLE)) ?? (isUtf8 ? "utf-8" : legacyEncoding()),
    lineCount: () => Math.max(feeds, returns),
  };
}

function encodingOfMark([a, b]: Uint8Array): Encoding | null {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : null;
}

function countZeros(zeros: [even: number, odd: number], bytes: Uint8Array, from: number): void {
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) zeros[(from + at) % 2 === 0 ? 0 : 1]++;
}

/** Returns the UTF-16 that zero bytes show; null: no other encoding of text has any, so the file is in one of those. */
function wideEncoding([even, odd]: readonly [even: number, odd: number], sampled: number): Encoding | null {
  if (even + odd === 0 || even + odd < sampled * ZEROS_PART) return null;
  if (odd >= even * ZEROS_SKEW) return "utf-16le";
  return even >= odd * ZEROS_SKEW ? "utf-16be" : null;
}

function countOf(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

function fits(decoder: TextDecoder, bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns a decoder that throws TypeError if bytes are not valid in the encoding, and drops a byte order mark. */
export function decoderOf(encoding: Encoding): TextDecoder {
  return new TextDecoder(encoding, { fatal: true });
}
