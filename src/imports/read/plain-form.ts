/** No number, date, word, heading or name of a tier that is understood has more characters. */
const UNDERSTOOD_MAX = 255;
/** The end of a text that was cut: nothing that is understood ends with it. */
const CUT = "\uFFFD";

/**
 * Returns the compatibility form (NFKC) of a cell from which a number, a date or a word is read, so that full-width digits are digits. A
 * longer text is cut and has no meaning then: the time to normalize combining characters grows with the square of their number, and a cell
 * may have 65,536. So does that of a pattern which looks for the end of a text.
 */
export function plainForm(text: string): string {
  const short = text.length <= UNDERSTOOD_MAX ? text : `${text.slice(0, UNDERSTOOD_MAX)}${CUT}`;
  return short.normalize("NFKC");
}
