import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { apiGet } from "../../api/client.ts";
import type { Column } from "../../ui/lists/data-table.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { customerKey, customerPath } from "./use-customer.ts";

interface PartTableProps<Row> {
  id: string;
  /** The last part of the list's path. */
  part: string;
  columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  caption: string;
  empty: string;
}

/** One of a customer's lists, page by page. */
export function PartTable<Row>({ id, part, columns, rowKey, caption, empty }: PartTableProps<Row>) {
  const [{ after }, setState] = useUrlState({ after: "" });
  const list = useQuery({
    queryKey: [...customerKey(id), part, after],
    queryFn: ({ signal }) =>
      apiGet<{ data: Row[]; next: string | null }>(`${customerPath(id)}/${part}`, { after }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <PagedTable {...{ caption, columns, list, after, rowKey, empty }} onAfter={(next) => setState({ after: next })} />
  );
}
