import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { apiGet } from "../api/client.ts";
import type { Find } from "./palette.tsx";

const WAIT_MS = 120;
const SHOWN_MAX = 6;

interface CustomerFind {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
}

interface OrderFind {
  readonly id: string;
  readonly name: string | null;
}

/** Customers and orders that fit what is typed, a moment after the last key. */
export function usePaletteFinds(query: string): { customers: Find[]; orders: Find[]; isSearching: boolean } {
  const [q] = useDebouncedValue(query.trim(), WAIT_MS);
  const options = { enabled: q !== "", placeholderData: keepPreviousData } as const; // cast: as const keeps the options' types
  const customers = useQuery({
    ...options,
    queryKey: ["palette", "customers", q],
    queryFn: ({ signal }) => apiGet<{ data: CustomerFind[] }>("/customers", { q }, signal),
  });
  const orders = useQuery({
    ...options,
    queryKey: ["palette", "orders", q],
    queryFn: ({ signal }) => apiGet<{ data: OrderFind[] }>("/orders", { q }, signal),
  });
  return {
    customers: q === "" ? [] : (customers.data?.data ?? []).slice(0, SHOWN_MAX).map(customerFind),
    orders: q === "" ? [] : (orders.data?.data ?? []).slice(0, SHOWN_MAX).map(orderFind),
    isSearching: customers.isFetching || orders.isFetching || q !== query.trim(),
  };
}

function customerFind({ id, email, name }: CustomerFind): Find {
  const label = name ?? email ?? id;
  const hints = [email, id].filter((text) => text !== null && text !== label);
  return {
    path: `/customers/${encodeURIComponent(id)}`,
    label,
    hint: hints.join(" · "),
  };
}

function orderFind({ id, name }: OrderFind): Find {
  return { path: `/orders/${encodeURIComponent(id)}`, label: name ?? id, ...(name === null ? {} : { hint: id }) };
}
