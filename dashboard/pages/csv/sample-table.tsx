import { NativeSelect } from "@mantine/core";
import type { CheckBody, ImportKindName } from "../../../src/admin/csv/schema.ts";
import { IMPORT_FIELDS, type ImportField } from "../../../src/wire/import-fields.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { fieldNames } from "./import-fields.ts";
import { words } from "./words.ts";

interface SampleTableProps {
  kind: ImportKindName;
  /** The first rows of the file, as parsed. */
  rows: readonly (readonly string[])[];
  body: CheckBody;
  onChoose(index: number, field: ImportField | null): void;
}

/** The beginning of a file, with the field of each column above it. */
export function SampleTable({ kind, rows, body, onChoose }: SampleTableProps) {
  const t = useWords(words);
  const count = Math.max(0, ...rows.map((cells) => cells.length));
  const places = Array.from({ length: count }, (_, index) => index);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes["sample"]} tabIndex={0} aria-label={t.columns}>
      <table>
        <thead>
          <tr>
            {places.map((index) => (
              <th key={index} scope="col">
                <ColumnChoice kind={kind} index={index} body={body} onChoose={onChoose} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name than their place
            <tr key={row} data-header={row === 0 && body.has_header}>
              {places.map((index) => (
                <td key={index} translate="no">
                  {cells[index] ?? ""}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ColumnChoiceProps {
  kind: ImportKindName;
  index: number;
  body: CheckBody;
  onChoose(index: number, field: ImportField | null): void;
}

function ColumnChoice({ kind, index, body, onChoose }: ColumnChoiceProps) {
  const t = useWords(words);
  const names = useWords(fieldNames);
  const chosen = IMPORT_FIELDS[kind].find((field) => body.columns[field] === index);
  return (
    <NativeSelect
      aria-label={t.column(index + 1)}
      value={chosen ?? ""}
      data={[
        { value: "", label: t.ignored },
        ...IMPORT_FIELDS[kind].map((field) => ({ value: field, label: names[field] })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        onChoose(index, IMPORT_FIELDS[kind].find((field) => field === value) ?? null)
      }
    />
  );
}
