import type { KeyboardEvent, ReactNode } from "react";
import { useId } from "react";
import classes from "./data-table.module.css";
import { EmptyState } from "./empty-state.tsx";
import { ErrorState } from "./error-state.tsx";
import { PageLink } from "./page-link.tsx";

export interface Column<T> {
  readonly key: string;
  readonly header: ReactNode;
  render(row: T): ReactNode;
  readonly align?: "right";
  /** What it shows is short and stays on one line. */
  readonly isShort?: true;
  /** A CSS width, `120px` or `30%`. */
  readonly width?: string;
}

export interface DataTableProps<T> {
  readonly columns: readonly Column<T>[];
  /** undefined while they are first read. */
  readonly rows: readonly T[] | undefined;
  rowKey(row: T): string;
  /** The path a row leads to; the whole row is the link, and what can be used inside it stays usable. */
  rowLink?(row: T): string;
  /** The link opens a panel over this page. */
  readonly linksToPanel?: boolean;
  readonly isLoading?: boolean;
  readonly error?: unknown;
  onRetry?(): void;
  readonly empty: ReactNode;
  /** What the table shows, for those who do not see it. */
  readonly caption: string;
  readonly skeletonRows?: number;
}

const SKELETON_ROWS = 8;

/** A dense table: skeleton rows while it is read, a designed place for nothing and for a failure, rows that the arrow keys walk. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { columns, rows, empty, caption, error, isLoading = false } = props;
  if (error != null && rows === undefined) return <ErrorState error={error} {...retryOf(props)} />;
  const isEmpty = rows !== undefined && rows.length === 0 && !isLoading;
  if (isEmpty) return typeof empty === "string" ? <EmptyState title={empty} /> : empty;
  return (
    <div className={classes["scroll"]} {...regionOf(props)}>
      <table className={classes["table"]} aria-busy={rows === undefined || isLoading}>
        <caption className={classes["caption"]}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, header, align, width }) => (
              <th key={key} scope="col" data-align={align} style={width === undefined ? undefined : { width }}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={walkRows} data-stale={(rows !== undefined && isLoading) || undefined}>
          {rows === undefined ? (
            <SkeletonRows columns={columns} count={props.skeletonRows ?? SKELETON_ROWS} />
          ) : (
            rows.map((row) => <Row key={props.rowKey(row)} row={row} {...props} />)
          )}
        </tbody>
      </table>
    </div>
  );
}

function retryOf<T>({ onRetry }: DataTableProps<T>) {
  return onRetry === undefined ? {} : { onRetry };
}

/** A table without links must itself be reachable, or a keyboard could not scroll it sideways. */
function regionOf<T>({ rowLink, caption }: DataTableProps<T>) {
  return rowLink === undefined ? { role: "region", "aria-label": caption, tabIndex: 0 } : {};
}

function Row<T>({ row, columns, rowLink, linksToPanel = false }: DataTableProps<T> & { row: T }) {
  const id = useId();
  const to = rowLink?.(row);
  return (
    <tr className={classes["row"]} data-links={to === undefined ? undefined : true}>
      {columns.map(({ key, render, align, isShort }, index) => (
        <td key={key} data-align={align} data-short={isShort}>
          {index === 0 && to !== undefined ? (
            <>
              <PageLink to={to} keepScroll={linksToPanel} className={classes["rowLink"] ?? ""} aria-labelledby={id} />
              <span id={id}>{render(row)}</span>
            </>
          ) : (
            render(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function SkeletonRows<T>({ columns, count }: { columns: readonly Column<T>[]; count: number }) {
  return Array.from({ length: count }, (_, row) => `skeleton-${row}`).map((key, row) => (
    <tr key={key} className={classes["row"]}>
      {columns.map((column, index) => (
        <td key={column.key} data-align={column.align}>
          <span className={classes["bone"]} style={{ width: `${40 + ((row * 7 + index * 13) % 5) * 10}%` }} />
        </td>
      ))}
    </tr>
  ));
}

/** Arrow keys, j and k go from row to row. */
function walkRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey;
  if (step === undefined || !isPlain || !(event.target instanceof HTMLAnchorElement)) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>("tr > td:first-child > a:first-child")];
  const next = links[links.indexOf(event.target) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
