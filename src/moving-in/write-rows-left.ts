import type { Queryable } from "../db/pool.ts";
import { BYTE_ORDER_MARK, csvLine } from "../exports/csv-line.ts";
import type { CsvImport } from "../imports/csv-import.ts";
import { ISSUE_COLUMNS, issueContextOf, issueText } from "../imports/issue-words.ts";
import { type RowLeft, readRowsLeft } from "../imports/undo/read-rows-left.ts";
import { readProgram } from "../program/read-program.ts";
import { FILE_KIND_NAMES } from "../wire/file-kind-names.ts";
import type { Language } from "../wire/language.ts";

const PAGE_ROWS = 5_000;

/** Writes all rows of a move's imports that could not be undone as CSV, with customers and reasons; an issue of no row has no customer. */
export async function* writeRowsLeft(
  queryable: Queryable,
  imports: readonly CsvImport[],
  language: Language,
): AsyncGenerator<string> {
  const names = ISSUE_COLUMNS[language];
  yield BYTE_ORDER_MARK + csvLine([names.part, names.customer, names.email, names.code, names.reason]);
  const { tiers } = await readProgram(queryable);
  for (const file of imports) {
    const context = issueContextOf(file, tiers.rules);
    for (let after: RowLeft | undefined; ; ) {
      const rows = await readRowsLeft(queryable, file, { ...(after === undefined ? {} : { after }), limit: PAGE_ROWS });
      const lines = rows.map((row) =>
        csvLine([
          FILE_KIND_NAMES[language][file.kind],
          row.customerId,
          row.email,
          row.code,
          issueText(row, language, context),
        ]),
      );
      yield lines.join("");
      after = rows.at(-1);
      if (rows.length < PAGE_ROWS) break;
    }
  }
}
