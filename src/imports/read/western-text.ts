/**
 * Examines whether bytes beyond ASCII are at positions where names in Western European languages have letters in Windows-1252: one or two between
 * ASCII letters.
 */
export interface WesternProbe {
  /** Takes the next bytes, and the byte before them (0 at the beginning). Bytes that are all ASCII may be left out if that one is ASCII, too. */
  add(bytes: Uint8Array, before: number): void;
  /**
   * Whether all of them are accented letters (0xC0 to 0xFF) at such positions. This takes precedence over valid Shift_JIS: "ée" is a kanji there, but
   * Japanese text always has other bytes, too.
   */
  isAccented(): boolean;
  /** Whether all of them are letters and punctuation of Windows-1252 at such positions. */
  isWestern(): boolean;
  /** Whether all of them are at such positions and none begins a two-byte kanji or kana (0x81 to 0x9F): then the text is not Japanese. */
  isBetweenLetters(): boolean;
}

const RUN_MAX = 2;
const LEADS_TO = 0x9f;
const ACCENTED_FROM = 0xc0;
/** Lower-case accented letters begin here, after the half-width katakana of Shift_JIS: a pair without a lower-case letter may be katakana. */
const LOWER_FROM = 0xe0;
/**
 * Ð Ý Þ ð ý þ. In Windows-1254 these are Turkish letters (Ğ İ Ş ğ ı ş), so text with them is not treated as Western. This excludes Icelandic, too.
 */
const DOUBTFUL = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
/** € Š Œ Ž ‘ ’ “ ” – — š œ ž Ÿ, no-break space, ª « ´ º ». */
const OTHERS = new Set([
  0x80, 0x8a, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0x9a, 0x9c, 0x9e, 0x9f, 0xa0, 0xaa, 0xab, 0xb4, 0xba,
  0xbb,
]);

export function probeWestern(): WesternProbe {
  let isAccented = true;
  let isWestern = true;
  let isBetweenLetters = true;
  /** The current sequence of bytes beyond ASCII. */
  let run: number[] = [];
  let isAfterLetter = false;

  function endRun(next: number): void {
    const isPlaced = run.length <= RUN_MAX && (isAfterLetter || isLetter(next));
    const isCased = run.length === 1 || run.some((byte) => byte >= LOWER_FROM);
    isBetweenLetters &&= isPlaced && run.every((byte) => byte > LEADS_TO);
    isAccented &&= isPlaced && isCased && run.every(isAccentedLetter);
    isWestern &&= isPlaced
      ? run.every((byte) => isAccentedLetter(byte) || OTHERS.has(byte))
      : run.length <= RUN_MAX && run.every((byte) => OTHERS.has(byte));
    run = [];
  }

  /** A file may end within a sequence. */
  function atEnd() {
    if (run.length > 0) endRun(0);
    return { isAccented, isWestern, isBetweenLetters };
  }

  return {
    add(bytes, byteBefore) {
      if (!isWestern && !isBetweenLetters) return;
      let before = byteBefore;
      for (const byte of bytes) {
        if (byte >= 0x80) {
          if (run.length === 0) isAfterLetter = isLetter(before);
          if (run.length <= RUN_MAX) run.push(byte);
        } else if (run.length > 0) endRun(byte);
        before = byte;
      }
    },
    isAccented: () => atEnd().isAccented,
    isWestern: () => atEnd().isWestern,
    isBetweenLetters: () => atEnd().isBetweenLetters,
  };
}

function isAccentedLetter(byte: number): boolean {
  return byte >= ACCENTED_FROM && !DOUBTFUL.has(byte);
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
