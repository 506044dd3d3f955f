import type { CountQuery } from "./count-query.ts";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { Pager } from "./pager.tsx";

/** The result of a query for a page of a list, or its error. */
interface ListQuery<T> {
  readonly data: { readonly data: readonly T[]; readonly next: string | null } | undefined;
  readonly error: unknown;
  /** Whether the previous page is still shown. */
  readonly isPlaceholderData: boolean;
  refetch(): unknown;
}

interface PagedTableProps<T> extends Omit<DataTableProps<T>, "rows" | "isLoading" | "error" | "onRetry"> {
  list: ListQuery<T>;
  /** The cursor of the shown page; an empty text: the first. */
  after: string;
  onAfter(after: string): void;
  /** Counts the rows of all pages. */
  count?: CountQuery;
}

/** A list, page by page. */
export function PagedTable<T>({ list, after, onAfter, count, ...table }: PagedTableProps<T>) {
  return (
    <>
      <DataTable
        {...table}
        rows={list.data?.data}
        isLoading={list.isPlaceholderData}
        error={list.error}
        onRetry={() => void list.refetch()}
      />
      <Pager next={list.data?.next} {...{ after, onAfter, count }} />
    </>
  );
}
