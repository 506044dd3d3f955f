import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { apiGet } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { useFormat } from "../ui/values/use-format.ts";
import { useWords } from "../words/use-words.ts";
import type { PaletteItem } from "./palette-results.tsx";
import { words } from "./words.ts";

const WAIT_MS = 120;
const SHOWN_MAX = 6;

interface CustomerFind {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly deleted_at: string | null;
}

interface CustomerFinds {
  readonly data: readonly CustomerFind[];
  readonly found: { readonly count: number; readonly has_more: boolean } | null;
}

interface OrderFind {
  readonly id: string;
  readonly name: string | null;
}

/** Customers and orders that match the text, shortly after the last keystroke, and the adjustment of the first customer's points. */
export function usePaletteSearch(query: string): {
  customers: PaletteItem[];
  orders: PaletteItem[];
  isSearching: boolean;
} {
  const t = useWords(words);
  const format = useFormat();
  const { can } = useSession();
  const [q] = useDebouncedValue(query.trim(), WAIT_MS);
  const options = { enabled: q !== "", placeholderData: keepPreviousData } as const; // cast: as const keeps the options' types
  const customers = useQuery({
    ...options,
    queryKey: ["palette", "customers", q],
    queryFn: ({ signal }) => apiGet<CustomerFinds>("/customers", { q }, signal),
  });
  const orders = useQuery({
    ...options,
    queryKey: ["palette", "orders", q],
    queryFn: ({ signal }) => apiGet<{ data: OrderFind[]; next: string | null }>("/orders", { q }, signal),
  });
  const customerRows = customers.data?.data ?? [];
  const orderRows = orders.data?.data ?? [];
  const { count = 0, has_more: hasMore = false } = customers.data?.found ?? {};
  const orderCount = { count: orderRows.length, hasMore: orders.data?.next != null };
  /** Returns the link to the complete list, if more are found than are shown. */
  const all = (path: string, found: { readonly count: number; readonly hasMore: boolean }): PaletteItem[] => {
    if (found.count <= SHOWN_MAX) return [];
    const label = t.allResults(`${format.number(found.count)}${found.hasMore ? "+" : ""}`);
    return [{ path: `${path}?q=${encodeURIComponent(q)}`, label }];
  };
  const [first] = customerRows;
  const adjust: PaletteItem[] =
    first === undefined || first.deleted_at !== null || !can("points.adjust")
      ? []
      : [{ path: `${customerItem(first).path}/adjust`, label: t.adjustOf(customerItem(first).label) }];
  return {
    customers:
      q === ""
        ? []
        : [...customerRows.slice(0, SHOWN_MAX).map(customerItem), ...adjust, ...all("/customers", { count, hasMore })],
    orders: q === "" ? [] : [...orderRows.slice(0, SHOWN_MAX).map(orderItem), ...all("/orders", orderCount)],
    isSearching: customers.isFetching || orders.isFetching || q !== query.trim(),
  };
}

function customerItem({ id, email, name }: CustomerFind): PaletteItem {
  const label = name ?? email ?? id;
  const hints = [email, id].filter((text) => text !== null && text !== label);
  return {
    path: `/customers/${encodeURIComponent(id)}`,
    label,
    hint: hints.join(" · "),
  };
}

function orderItem({ id, name }: OrderFind): PaletteItem {
  return { path: `/orders/${encodeURIComponent(id)}`, label: name ?? id, ...(name === null ? {} : { hint: id }) };
}
