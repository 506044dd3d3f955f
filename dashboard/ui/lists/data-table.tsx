import type { KeyboardEvent, ReactNode } from "react";
import { useDeferredValue, useId } from "react";
import { useWords } from "../../words/use-words.ts";
import { PageLink } from "../layout/page-link.tsx";
import { EmptyState } from "../states/empty-state.tsx";
import { ErrorState } from "../states/error-state.tsx";
import { words } from "../words.ts";
import classes from "./data-table.module.css";

export interface Column<T> {
  readonly key: string;
  /** An empty text above a column of buttons: screen readers read "Actions". */
  readonly header: ReactNode;
  render(row: T): ReactNode;
  readonly align?: "right";
  /** The content is short and stays on one line. */
  readonly isShort?: true;
  /** The content is a text of any length without spaces, such as a name: it is broken instead of making the table wider than the page. */
  readonly isName?: true;
  /** A CSS width, `120px` or `30%`. */
  readonly width?: string;
  /**
   * The cell's place on a telephone, if the table's rows have two lines there: in the first line or the second, or `named` with its header before it.
   * Absent: hidden if the row is a link, which leads to the rest, otherwise `named`. A table without such a column scrolls sideways.
   */
  readonly onPhone?: "first" | "second" | "named";
}

export interface DataTableProps<T> {
  readonly columns: readonly Column<T>[];
  /** undefined during the first read. */
  readonly rows: readonly T[] | undefined;
  rowKey(row: T): string;
  /** The path of a row's link; the whole row is the link, and controls inside it still work. */
  rowLink?(row: T): string;
  /** The link opens a panel over this page. */
  readonly linksToPanel?: boolean;
  readonly isLoading?: boolean;
  readonly error?: unknown;
  onRetry?(): void;
  readonly empty: ReactNode;
  /** The content of the table, for people who do not see it. */
  readonly caption: string;
  readonly skeletonRows?: number;
  /** Rows are selected instead of opened; a row with null instead of an id cannot be. */
  readonly selection?: { has(id: string): boolean; toggle(id: string): void; idOf(row: T): string | null } | undefined;
}

const SKELETON_ROWS = 8;

/** A compact table: skeleton rows while it is read, a text if it is empty or failed, rows that the arrow keys can walk through. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { columns, rows, empty, caption, error, isLoading = false } = props;
  const t = useWords(words);
  if (error != null && rows === undefined) return <ErrorState error={error} {...retryOf(props)} />;
  const isEmpty = rows !== undefined && rows.length === 0 && !isLoading;
  if (isEmpty) return typeof empty === "string" ? <EmptyState title={empty} /> : empty;
  return (
    <div className={classes["scroll"]} {...scrollingOf(props)}>
      <table
        className={classes["table"]}
        data-lines={hasLines(columns) || undefined}
        data-selecting={props.selection !== undefined || undefined}
        aria-busy={rows === undefined || isLoading}
      >
        <caption className={classes["caption"]}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, header, align, width }) => (
              <th key={key} scope="col" data-align={align} style={width === undefined ? undefined : { width }}>
                {header === "" ? <span className={classes["caption"]}>{t.actions}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={walkRows} data-stale={(rows !== undefined && isLoading) || undefined}>
          {rows === undefined ? <SkeletonRows {...props} /> : <Rows {...props} rows={rows} />}
        </tbody>
      </table>
    </div>
  );
}

/** The rows of a table that fit on a screen; the others are rendered after these. */
const FIRST_ROWS = 20;
/** The height of a row that is not rendered yet, so that the page can be scrolled to its full length. */
const ROW_HEIGHT = 37;

function Rows<T>({ rows, ...props }: DataTableProps<T> & { rows: readonly T[] }) {
  const count = useDeferredValue(rows.length, Math.min(rows.length, FIRST_ROWS));
  const missing = rows.length - count;
  return (
    <>
      {rows.slice(0, count).map((row) => (
        <Row key={props.rowKey(row)} row={row} rows={rows} {...props} />
      ))}
      {missing > 0 ? <tr style={{ height: missing * ROW_HEIGHT }} /> : null}
    </>
  );
}

function hasLines<T>(columns: readonly Column<T>[]): boolean {
  return columns.some(({ onPhone }) => onPhone !== undefined);
}

/** The place of a cell on a telephone; the first cell contains the row's link, which a hidden cell would hide. */
function placeOf<T>({ onPhone, header }: Column<T>, index: number, { rowLink }: Pick<DataTableProps<T>, "rowLink">) {
  const place = onPhone ?? (index === 0 ? "second" : rowLink === undefined ? "named" : undefined);
  return { "data-phone": place, "data-name": place === "named" && typeof header === "string" ? header : undefined };
}

function retryOf<T>({ onRetry }: DataTableProps<T>) {
  return onRetry === undefined ? {} : { onRetry };
}

/** A table without links must itself be focusable, or a keyboard could not scroll it sideways. No landmark: its section is one, often of the same name. */
function scrollingOf<T>({ rowLink, caption }: DataTableProps<T>) {
  return rowLink === undefined ? { role: "group", "aria-label": caption, tabIndex: 0 } : {};
}

function Row<T>(props: DataTableProps<T> & { row: T }) {
  const { row, columns, rowLink, linksToPanel = false, selection } = props;
  const id = useId();
  const to = selection === undefined ? rowLink?.(row) : undefined;
  const picked = selection?.idOf(row) ?? null;
  return (
    <tr className={classes["row"]} data-links={to === undefined && picked === null ? undefined : true}>
      {columns.map((column, index) => (
        <td key={column.key} data-align={column.align} data-short={column.isShort} {...placeOf(column, index, props)}>
          {index === 0 && to !== undefined ? (
            <>
              <PageLink to={to} keepScroll={linksToPanel} className={classes["rowLink"] ?? ""} aria-labelledby={id} />
              <span id={id}>{contentOf(column, row)}</span>
            </>
          ) : index === 0 && selection !== undefined ? (
            <Choice id={id} picked={picked} selection={selection}>
              {contentOf(column, row)}
            </Choice>
          ) : (
            contentOf(column, row)
          )}
        </td>
      ))}
    </tr>
  );
}

function contentOf<T>({ isName, render }: Column<T>, row: T): ReactNode {
  return isName === true ? <span className={classes["name"]}>{render(row)}</span> : render(row);
}

interface ChoiceProps {
  id: string;
  picked: string | null;
  selection: { has(id: string): boolean; toggle(id: string): void };
  children: ReactNode;
}

/** The first cell of a row that can be selected: its label covers the row. */
function Choice({ id, picked, selection, children }: ChoiceProps) {
  return (
    <span className={classes["choice"]}>
      <input
        id={`${id}-choice`}
        type="checkbox"
        disabled={picked === null}
        checked={picked !== null && selection.has(picked)}
        onChange={() => (picked === null ? undefined : selection.toggle(picked))}
      />
      <label htmlFor={`${id}-choice`} className={classes["rowLabel"]}>
        {children}
      </label>
    </span>
  );
}

function SkeletonRows<T>(props: DataTableProps<T>) {
  const { columns, skeletonRows: count = SKELETON_ROWS } = props;
  return Array.from({ length: count }, (_, row) => `skeleton-${row}`).map((key, row) => (
    <tr key={key} className={classes["row"]}>
      {columns.map((column, index) => (
        <td key={column.key} data-align={column.align} {...placeOf(column, index, props)}>
          <span className={classes["bone"]} style={{ width: `${40 + ((row * 7 + index * 13) % 5) * 10}%` }} />
        </td>
      ))}
    </tr>
  ));
}

/** What has the focus in a row: its link, or its box while rows are selected. */
const PLACES = "tr > td:first-child > a:first-child, tr > td:first-child > span > input:enabled";

/** Arrow keys, j and k move from row to row. */
function walkRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey;
  if (step === undefined || !isPlain || !(event.target instanceof HTMLElement)) return;
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>(PLACES)];
  const at = places.indexOf(event.target);
  if (at === -1 && !(event.target instanceof HTMLAnchorElement)) return;
  const next = places[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
