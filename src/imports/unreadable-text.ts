const WORDS: Readonly<Record<string, (line: number) => string>> = {
  quote_not_closed: (line) => `the quote that is opened in line ${line} is never closed.`,
  row_too_long: (line) => `the row at line ${line} is too long: is a quote missing?`,
  not_this_encoding: (line) =>
    `after line ${line} there are characters in another encoding. Save it as "CSV UTF-8" and import that.`,
  could_not_be_read: () => "it was tried several times.",
  empty: () => "it is empty.",
};

/** Returns why a file cannot be read, in the command's words, by the stored code. */
export function unreadableText(code: string, line: number): string {
  return `The file cannot be read: ${WORDS[code]?.(line) ?? code}`;
}
